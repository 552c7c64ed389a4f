// CheckoutScreen: the window with a payable cart and a good card, over a client that shows what a test wants.
#pragma once

#include "ui/fake_payment_control.h"
#include "ui/samples.h"
#include "widgets/checkout_window.h"
#include "widgets/object_names.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

namespace payonce::tests {

struct CheckoutScreen
{
    tests::FakePaymentControl control;
    viewmodels::CheckoutViewModel viewModel{control};
    widgets::CheckoutWindow window;

    explicit CheckoutScreen(const viewmodels::CardFields& fields = tests::goodFields())
        : window(viewModel, {fields, QString(), widgets::Animations::Off})
    {
        Q_EMIT control.ready();
        viewModel.showCart(tests::sampleCart());
        window.show();
        window.activateWindow();
    }

    template <class Widget> Widget& find(QLatin1String name) const
    {
        auto* found = window.findChild<Widget*>(name);
        if (!found)
            qFatal("no widget %s", name.data());
        return *found;
    }
    [[nodiscard]] QPushButton& button(QLatin1String name) const { return find<QPushButton>(name); }
    [[nodiscard]] QLineEdit& edit(QLatin1String name) const { return find<QLineEdit>(name); }
    [[nodiscard]] QString text(QLatin1String name) const { return find<QLabel>(name).text(); }
};

/// Where `widget` begins in `window`.
[[nodiscard]] inline QPoint placeIn(const QWidget& window, const QWidget& widget)
{
    return widget.mapTo(&window, QPoint(0, 0));
}

} // namespace payonce::tests
