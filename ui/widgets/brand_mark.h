// BrandMark: the card's brand, painted at the end of the number field.
#pragma once

#include "viewmodels/card_number.h"
#include "widgets/theme.h"

#include <QtWidgets/QWidget>

namespace payonce::widgets {

/// `theme` must outlive it. Decoration only: the brand is not offered to screen readers.
class BrandMark : public QWidget
{
    Q_OBJECT

public:
    BrandMark(const Theme& theme, QWidget* parent);

    void setBrand(viewmodels::CardBrand brand);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    viewmodels::CardBrand m_brand = viewmodels::CardBrand::Other;
};

} // namespace payonce::widgets
