// PaymentForm: e-mail and card fields over a CardForm.
#pragma once

#include "viewmodels/card_form.h"

#include <QtWidgets/QWidget>

class QLineEdit;

namespace payonce::widgets {

class BrandMark;
class TextField;
class Theme;

/// `theme` and `form` must outlive it.
class PaymentForm : public QWidget
{
    Q_OBJECT

public:
    PaymentForm(const Theme& theme, viewmodels::CardForm& form, QWidget* parent);

    /// Focuses the first field that is not good yet. False if all are.
    bool focusFirstUnfinished();

Q_SIGNALS:
    /// Enter was pressed in a field.
    void submitted();

private:
    void build();
    void wire();
    void showForm();
    void showProblems();

    viewmodels::CardForm& m_form;
    TextField* m_email;
    TextField* m_number;
    TextField* m_expiry;
    TextField* m_code;
    BrandMark* m_brand;
};

} // namespace payonce::widgets
