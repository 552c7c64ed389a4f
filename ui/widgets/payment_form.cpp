#include "widgets/payment_form.h"

#include "widgets/brand_mark.h"
#include "widgets/object_names.h"
#include "widgets/parts.h"
#include "widgets/text_field.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

#include <array>
#include <functional>

namespace payonce::widgets {

namespace {

using viewmodels::FieldState;

void setKeepingCursor(QLineEdit& edit, const QString& text)
{
    if (edit.text() == text)
        return;
    const auto cursor = viewmodels::cursorAfterGrouping(edit.text(), edit.cursorPosition(), text);
    edit.setText(text);
    edit.setCursorPosition(static_cast<int>(cursor));
}

/// Something unfinished is a mistake only once the person has left the field.
bool isProblem(FieldState state, const QLineEdit& edit)
{
    return state == FieldState::Wrong || (state == FieldState::Incomplete && !edit.hasFocus());
}

} // namespace

PaymentForm::PaymentForm(const Theme& theme, viewmodels::CardForm& form, QWidget* parent)
    : QWidget(parent),
      m_form(form),
      m_email(new TextField(theme, tr("E-mail"), names::kEmail, this)),
      m_number(new TextField(theme, tr("Card number"), names::kCardNumber, this)),
      m_expiry(new TextField(theme, tr("Valid until"), names::kCardExpiry, this)),
      m_code(new TextField(theme, tr("Security code"), names::kCardCode, this)),
      m_brand(new BrandMark(theme, this))
{
    build();
    wire();
    showForm();
}

void PaymentForm::build()
{
    m_email->edit().setInputMethodHints(Qt::ImhEmailCharactersOnly | Qt::ImhNoAutoUppercase);
    m_email->edit().setPlaceholderText(tr("you@example.com"));
    m_number->edit().setInputMethodHints(Qt::ImhDigitsOnly);
    m_number->addTrailing(m_brand);
    m_expiry->edit().setInputMethodHints(Qt::ImhDigitsOnly);
    m_expiry->edit().setPlaceholderText(tr("MM / YY"));
    m_code->edit().setInputMethodHints(Qt::ImhDigitsOnly | Qt::ImhSensitiveData);
    m_code->edit().setEchoMode(QLineEdit::Password);

    auto* pair = new QHBoxLayout;
    pair->setSpacing(kGrid * 2);
    pair->addWidget(m_expiry);
    pair->addWidget(m_code);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid * 3);
    column->addWidget(m_email);
    column->addWidget(m_number);
    column->addLayout(pair);
    column->addStretch();
}

void PaymentForm::wire()
{
    using viewmodels::CardForm;
    const auto bind = [this](TextField& field, void (CardForm::*set)(const QString&)) {
        connect(&field.edit(), &QLineEdit::textEdited, this, [this, set](const QString& text) {
            std::invoke(set, m_form, text); // written with .* GCC 12's sanitizer breaks it
            showForm();                     // also where the form did not change: a letter in a number must not stay
        });
        connect(&field.edit(), &QLineEdit::editingFinished, this, &PaymentForm::showProblems);
        connect(&field.edit(), &QLineEdit::returnPressed, this, &PaymentForm::submitted);
    };
    bind(*m_email, &CardForm::setEmail);
    bind(*m_number, &CardForm::setNumber);
    bind(*m_expiry, &CardForm::setExpiry);
    bind(*m_code, &CardForm::setSecurityCode);
    connect(&m_form, &CardForm::changed, this, &PaymentForm::showForm);
}

void PaymentForm::showForm()
{
    setKeepingCursor(m_email->edit(), m_form.email());
    setKeepingCursor(m_number->edit(), m_form.number());
    setKeepingCursor(m_expiry->edit(), m_form.expiry());
    setKeepingCursor(m_code->edit(), m_form.securityCode());
    m_brand->setBrand(m_form.brand());
    showProblems();
}

void PaymentForm::showProblems()
{
    const auto say = [](TextField& field, FieldState state, const QString& problem) {
        field.setProblem(isProblem(state, field.edit()) ? problem : QString());
    };
    say(*m_email, m_form.emailState(), tr("Check the address"));
    say(*m_number, m_form.numberState(), tr("Check the number"));
    say(*m_expiry, m_form.expiryState(), tr("Check the date"));
    say(*m_code, m_form.securityCodeState(), tr("Check the code"));
}

bool PaymentForm::focusFirstUnfinished()
{
    const std::array<std::pair<TextField*, FieldState>, 4> fields = {{{m_email, m_form.emailState()},
                                                                      {m_number, m_form.numberState()},
                                                                      {m_expiry, m_form.expiryState()},
                                                                      {m_code, m_form.securityCodeState()}}};
    for (const auto& [field, state] : fields) {
        if (state == FieldState::Good)
            continue;
        field->edit().setFocus(Qt::OtherFocusReason);
        return true;
    }
    return false;
}

} // namespace payonce::widgets
