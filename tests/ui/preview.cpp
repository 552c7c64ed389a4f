// payonce-ui-preview DIR [WIDTH HEIGHT] [dark]: writes the checkout window in every state as a picture, to look at.
#include "ui/fake_payment_control.h"
#include "ui/samples.h"
#include "ui/word_samples.h"
#include "widgets/checkout_window.h"

#include <QtCore/QDir>
#include <QtWidgets/QApplication>

#include <cstdio>

using namespace payonce;

namespace {

constexpr QSize kSize(1280, 800);

class Preview
{
public:
    Preview(const QString& directory, QSize size)
        : m_directory(directory), m_viewModel(m_control), m_window(m_viewModel, options())
    {
        m_window.resize(size);
        m_window.show();
        Q_EMIT m_control.ready();
    }

    void takeAll()
    {
        take(QStringLiteral("cart-loading"));
        m_viewModel.showCartProblem(viewmodels::CartProblem::ShopUnreachable);
        take(QStringLiteral("cart-failed"));
        m_viewModel.showCart(tests::sampleCart());
        take(QStringLiteral("editing"));
        m_viewModel.form().setNumber(QStringLiteral("4242 4242 4242 4241"));
        take(QStringLiteral("editing-wrong"));
        for (const auto& sample : tests::everyWordSample()) {
            m_control.show(sample.snapshot);
            take(nameOf(sample.speaker) + QLatin1Char('-') + sample.when);
        }
        m_control.show({});
        Q_EMIT m_control.journalFailed(retry::JournalError::DiskFull);
        take(QStringLiteral("journal-failed"));
    }

private:
    static widgets::CheckoutOptions options()
    {
        return {tests::goodFields(), QStringLiteral("Simulator: the reply is lost after the charge"), widgets::Animations::Off};
    }

    void take(const QString& name)
    {
        QApplication::processEvents();
        QString plain = name;
        plain.replace(QStringLiteral(", "), QStringLiteral("-")).replace(QLatin1Char(' '), QLatin1Char('_'));
        const QString file = m_directory.filePath(plain + QStringLiteral(".png"));
        if (!m_window.grab().save(file))
            std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
    }

    QDir m_directory;
    tests::FakePaymentControl m_control;
    viewmodels::CheckoutViewModel m_viewModel;
    widgets::CheckoutWindow m_window;
};

void goDark()
{
    QPalette palette;
    palette.setColor(QPalette::Window, Qt::black);
    palette.setColor(QPalette::WindowText, Qt::white);
    QApplication::setPalette(palette);
}

} // namespace

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    QStringList arguments = QApplication::arguments().mid(1);
    if (arguments.removeAll(QStringLiteral("dark")) > 0)
        goDark();
    if (arguments.size() != 1 && arguments.size() != 3) {
        std::fprintf(stderr, "usage: payonce-ui-preview DIR [WIDTH HEIGHT] [dark]\n");
        return 2;
    }
    const QSize size = arguments.size() == 3 ? QSize(arguments[1].toInt(), arguments[2].toInt()) : kSize;
    Preview(arguments[0], size).takeAll();
    return 0;
}
