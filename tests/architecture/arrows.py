"""The arrows of docs/architecture.md: who may include whom. This table is the only place they are written down.

A folder that is not in the table may not exist; an arrow that is not in the table is forbidden.
`uses` names folders of this project, `outside` the families of headers from elsewhere:
std (C++ standard library), posix, tl (expected), json (nlohmann), beast (Boost), prometheus (prometheus-cpp), and Qt's modules by name.
"""

STD_ONLY = {"std", "tl"}
QT_SERVER = {"std", "tl", "posix", "QtCore", "QtNetwork"}

SHARED = {"values", "idempotency", "console", "protocol", "storage"}

# folder: (uses, outside)
ARROWS = {
    "core/values": (set(), STD_ONLY),
    "core/machine": ({"values"}, STD_ONLY),
    "core/idempotency": ({"values"}, STD_ONLY),
    "core/retry": ({"values"}, STD_ONLY),
    "core/console": ({"values"}, STD_ONLY),
    "core/protocol": ({"idempotency", "retry", "console", "values"}, STD_ONLY | {"json", "QtCore"}),
    "core/storage": ({"idempotency", "machine", "retry", "values"}, STD_ONLY | {"posix", "QtCore", "QtSql"}),
    "core/transport": ({"machine", "retry", "console", "protocol", "values"}, STD_ONLY | {"posix", "QtCore", "QtNetwork"}),
    "core/runner": ({"retry", "protocol", "values"}, STD_ONLY | {"QtCore"}),
    "ui/viewmodels": ({"runner", "retry", "console", "values"}, STD_ONLY | {"QtCore"}),
    "ui/widgets": ({"viewmodels"}, STD_ONLY | {"QtCore", "QtGui", "QtWidgets", "QtSvg"}),
    "ui/automation": ({"values"}, STD_ONLY | {"QtCore", "QtGui", "QtNetwork", "QtWidgets"}),
    "server_mock/batch": (SHARED, QT_SERVER),
    "server_mock/http": ({"machine", "protocol", "idempotency", "values"}, QT_SERVER | {"beast"}),
    "server_mock/bank": (SHARED | {"batch"}, QT_SERVER | {"QtSql"}),
    "server_mock/faults": (SHARED | {"machine", "http"}, QT_SERVER | {"json"}),
    "server_mock/shop": (SHARED | {"batch", "http", "bank", "faults"}, QT_SERVER),
    "server_mock/judge": ({"values", "machine", "console", "idempotency", "protocol", "http", "faults", "shop"}, QT_SERVER),
    # main() of payonce-server, and its composition root.
    "server_mock": ({"program"}, QT_SERVER),
    "server_mock/program": (SHARED | {"machine", "batch", "http", "bank", "faults", "shop", "judge"}, QT_SERVER | {"QtSql", "prometheus"}),
    # The fault points of the client.
    "app/points": ({"console", "retry", "runner", "values"}, STD_ONLY | {"posix", "QtCore"}),
    # The composition root of payonce.
    "app/checkout": (
        SHARED | {"retry", "transport", "runner", "viewmodels", "widgets", "automation", "points"},
        STD_ONLY | {"posix", "QtCore", "QtGui", "QtNetwork", "QtWidgets"},
    ),
}

# Tests may include everything; nothing includes tests but tests.
TESTS = "tests"
