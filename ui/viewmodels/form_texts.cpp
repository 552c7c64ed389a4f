#include "viewmodels/form_words.h"

#include <QtCore/QCoreApplication>

namespace payonce::viewmodels {

namespace {

class AccountTexts
{
    Q_DECLARE_TR_FUNCTIONS(AccountTexts)

public:
    static FormTexts all();
};

class RequestTexts
{
    Q_DECLARE_TR_FUNCTIONS(RequestTexts)

public:
    static FormTexts all();
};

FormTexts AccountTexts::all()
{
    return {
        .heading = tr("Your account"),
        .sendingTitle = tr("Creating your account…"),
        .confirmingTitle = tr("Confirming your account…"),
        .saved = tr("Your sign-up is saved on this computer first, then sent."),
        .onItsWay = tr("Your sign-up %1 is on its way. There is nothing you need to press."),
        .asking = tr("There is no clear answer yet; we are asking the shop whether sign-up %1 went through."),
        .shopWorks = tr("The shop is still working on sign-up %1."),
        .shopBusy = tr("The shop cannot take sign-up %1 just now and asked us to try again later."),
        .notSentYet = tr("Nothing of sign-up %1 has been sent yet. We try again with the same sign-up."),
        .goesOut = tr("Nothing has been sent. Your sign-up goes out when the shop is back, until %1."),
        .mayHaveArrived =
            tr("Sign-up %1 may have arrived before the connection was lost. We check as soon as the shop can be reached."),
        .onlyOne = tr("You will not get two."),
        .notStartedTitle = tr("Sign-up not started"),
        .diskRefused = tr("This computer could not save the sign-up, so it was not sent."),
        .alreadyOpen = tr("This computer already has a sign-up for this address, so a second one was not sent."),
        .leftUnsent = tr("PayOnce was closed before this sign-up was sent."),
        .notSent = tr("The sign-up was not sent."),
        .doneTitle = tr("Your account is ready"),
        .done = tr("See your mail."),
        .doneOnce = tr("It was created once."),
        .failedTitle = tr("Account not created"),
        .failed = tr("The shop could not create an account for sign-up %1."),
        .nothingDone = tr("No account was created by it."),
        .refusedTitle = tr("Sign-up refused"),
        .refused = tr("The shop refused sign-up %1."),
        .refusedBecause = tr("The shop refused sign-up %1: %2"),
        .closingTitle = tr("Closing the sign-up…"),
        .makingSure = tr("Making sure that sign-up %1 can no longer go through."),
        .timeIsOver = tr("The time for this sign-up is over."),
        .eitherWay = tr("If no account was created, it will be closed; if one was, you will see it here as ready."),
        .closedTitle = tr("Sign-up closed"),
        .closed = tr("The shop closed sign-up %1. It can no longer go through."),
        .closedByPerson = tr("Sign-up %1 is closed, as you wished. It can no longer go through."),
        .closedLate = tr("The time for sign-up %1 was over, so the shop closed it."),
        .closedUnsent = tr("Sign-up %1 is closed. None of it was ever sent."),
        .closedByClock = tr("This computer's clock was wrong when sign-up %1 was made, so the shop closed it. PayOnce now goes "
                            "by the shop's clock."),
        .again = tr("Sign up again"),
        .stillUnknown = tr("We do not know yet whether sign-up %1 went through. We keep checking."),
        .stepNotSaved = tr("This computer could not save the next step, so sign-up %1 is not sent again by itself. We keep "
                           "checking."),
        .noClearAnswer = tr("There is no clear answer about sign-up %1, and it is not sent again by itself. We keep checking."),
        .sendingIsOver = tr("The time to send sign-up %1 is over. It is not sent again; we keep checking what became of it."),
        .signIn = tr("Sign in again so that we can check sign-up %1."),
        .elsewhere = tr("Sign-up %1 belongs to another sign-in or server. Switch back to check it."),
        .otherWindow = tr("Another PayOnce window is looking after sign-up %1. Please look there."),
        .dontRepeat = tr("Do not sign up again yet."),
        .otherContents = tr("The shop knows sign-up %1, but with other contents."),
        .contrary = tr("The shop gave two answers about sign-up %1 that do not agree."),
        .tooOld = tr("Sign-up %1 is too old: the shop can no longer tell what became of it."),
        .recordsDisagree = tr("The shop's own records about sign-up %1 do not agree."),
        .cancel = tr("Cancel this sign-up"),
        .discard = tr("Discard this sign-up"),
        .nextTry = tr("Next try in %1 s, same sign-up."),
        .tryingNow = tr("Trying now, same sign-up."),
        .endedEarlier = tr("This is how your sign-up of %1 ended."),
    };
}

FormTexts RequestTexts::all()
{
    return {
        .heading = tr("Your request"),
        .sendingTitle = tr("Sending your request…"),
        .confirmingTitle = tr("Confirming your request…"),
        .saved = tr("Your request is saved on this computer first, then sent."),
        .onItsWay = tr("Your request %1 is on its way. There is nothing you need to press."),
        .asking = tr("There is no clear answer yet; we are asking the shop whether request %1 went through."),
        .shopWorks = tr("The shop is still working on request %1."),
        .shopBusy = tr("The shop cannot take request %1 just now and asked us to try again later."),
        .notSentYet = tr("Nothing of request %1 has been sent yet. We try again with the same request."),
        .goesOut = tr("Nothing has been sent. Your request goes out when the shop is back, until %1."),
        .mayHaveArrived =
            tr("Request %1 may have arrived before the connection was lost. We check as soon as the shop can be reached."),
        .onlyOne = tr("It will not be done twice."),
        .notStartedTitle = tr("Request not started"),
        .diskRefused = tr("This computer could not save the request, so it was not sent."),
        .alreadyOpen = tr("This computer already has such a request, so a second one was not sent."),
        .leftUnsent = tr("PayOnce was closed before this request was sent."),
        .notSent = tr("The request was not sent."),
        .doneTitle = tr("Done"),
        .done = tr("The shop has carried out your request."),
        .doneOnce = tr("It was done once."),
        .failedTitle = tr("Request not carried out"),
        .failed = tr("The shop could not carry out request %1."),
        .nothingDone = tr("It was not done."),
        .refusedTitle = tr("Request refused"),
        .refused = tr("The shop refused request %1."),
        .refusedBecause = tr("The shop refused request %1: %2"),
        .closingTitle = tr("Closing the request…"),
        .makingSure = tr("Making sure that request %1 can no longer go through."),
        .timeIsOver = tr("The time for this request is over."),
        .eitherWay = tr("If it was not done, it will be closed; if it was, you will see it here as done."),
        .closedTitle = tr("Request closed"),
        .closed = tr("The shop closed request %1. It can no longer go through."),
        .closedByPerson = tr("Request %1 is closed, as you wished. It can no longer go through."),
        .closedLate = tr("The time for request %1 was over, so the shop closed it."),
        .closedUnsent = tr("Request %1 is closed. None of it was ever sent."),
        .closedByClock = tr("This computer's clock was wrong when request %1 was made, so the shop closed it. PayOnce now goes "
                            "by the shop's clock."),
        .again = tr("Start again"),
        .stillUnknown = tr("We do not know yet whether request %1 went through. We keep checking."),
        .stepNotSaved = tr("This computer could not save the next step, so request %1 is not sent again by itself. We keep "
                           "checking."),
        .noClearAnswer = tr("There is no clear answer about request %1, and it is not sent again by itself. We keep checking."),
        .sendingIsOver = tr("The time to send request %1 is over. It is not sent again; we keep checking what became of it."),
        .signIn = tr("Sign in again so that we can check request %1."),
        .elsewhere = tr("Request %1 belongs to another sign-in or server. Switch back to check it."),
        .otherWindow = tr("Another PayOnce window is looking after request %1. Please look there."),
        .dontRepeat = tr("Do not send it again yet."),
        .otherContents = tr("The shop knows request %1, but with other contents."),
        .contrary = tr("The shop gave two answers about request %1 that do not agree."),
        .tooOld = tr("Request %1 is too old: the shop can no longer tell what became of it."),
        .recordsDisagree = tr("The shop's own records about request %1 do not agree."),
        .cancel = tr("Cancel this request"),
        .discard = tr("Discard this request"),
        .nextTry = tr("Next try in %1 s, same request."),
        .tryingNow = tr("Trying now, same request."),
        .endedEarlier = tr("This is how your request of %1 ended."),
    };
}

} // namespace

FormTexts accountTexts()
{
    return AccountTexts::all();
}

FormTexts requestTexts()
{
    return RequestTexts::all();
}

} // namespace payonce::viewmodels
