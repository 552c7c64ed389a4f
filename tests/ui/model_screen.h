// ModelScreen: the view model of the checkout, over a client that shows what a test wants.
#pragma once

#include "ui/fake_payment_control.h"
#include "ui/samples.h"
#include "viewmodels/checkout_view_model.h"

#include <QtCore/QJsonDocument>

namespace payonce::tests {

[[nodiscard]] inline QJsonObject json(const viewmodels::CheckoutViewModel& viewModel)
{
    return QJsonDocument::fromJson(viewModel.stateJson().toUtf8()).object();
}

struct ModelScreen
{
    FakePaymentControl control;
    viewmodels::CheckoutViewModel viewModel{control};

    void becomePayable()
    {
        Q_EMIT control.ready();
        viewModel.showCart(sampleCart());
        viewModel.form().setFields(goodFields());
    }
};

} // namespace payonce::tests
