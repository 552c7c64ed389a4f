#include "widgets/theme.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QWidget>

#include <algorithm>
#include <cmath>

using namespace payonce;
using widgets::Tokens;

namespace {

// WCAG 2.2, relative luminance and contrast ratio.
double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& one, const QColor& other)
{
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QPalette systemPalette(const QColor& ground, const QColor& text)
{
    QPalette palette;
    palette.setColor(QPalette::Window, ground);
    palette.setColor(QPalette::WindowText, text);
    return palette;
}

} // namespace

class TestTheme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void text_isReadableOnItsGround_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void text_isReadableOnItsGround()
    {
        QFETCH(bool, dark);
        const Tokens& tokens = dark ? widgets::darkTokens() : widgets::lightTokens();
        constexpr double kReadable = 4.5;
        for (const QColor& ground : {tokens.ground, tokens.surface})
            for (const QColor& text : {tokens.text, tokens.muted, tokens.accent, tokens.good, tokens.warning, tokens.bad})
                QVERIFY2(contrast(text, ground) >= kReadable, qPrintable(text.name() + QStringLiteral(" on ") + ground.name()));
        QVERIFY(contrast(tokens.onAccent, tokens.accent) >= kReadable);
        QVERIFY(contrast(tokens.muted, tokens.line) >= kReadable); // the disabled button
    }

    void window_followsTheSystemsPalette()
    {
        const QPalette before = QApplication::palette();
        QApplication::setPalette(systemPalette(Qt::white, Qt::black));
        QWidget window;
        widgets::Theme theme(window);
        QCOMPARE(&theme.tokens(), &widgets::lightTokens());
        QSignalSpy changed(&theme, &widgets::Theme::changed);

        QApplication::setPalette(systemPalette(Qt::black, Qt::white));

        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(&theme.tokens(), &widgets::darkTokens());
        QCOMPARE(window.palette().color(QPalette::Window), widgets::darkTokens().ground);
        QApplication::setPalette(before);
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
