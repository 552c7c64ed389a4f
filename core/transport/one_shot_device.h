// OneShotDevice: an upload body that can be read once and never again.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QIODevice>

namespace payonce::transport {

/// A sequential device that cannot be rewound, so that QNetworkAccessManager cannot send a POST a second time behind our
/// back (docs/client.md, invariant 3). It counts the bytes taken: none taken proves that none left (invariant 4).
/// The content is overwritten when the device goes.
class OneShotDevice : public QIODevice
{
    Q_OBJECT

public:
    explicit OneShotDevice(QByteArray content, QObject* parent = nullptr);
    ~OneShotDevice() override;

    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] qint64 size() const override { return m_content.size(); }
    [[nodiscard]] qint64 bytesAvailable() const override;
    [[nodiscard]] bool atEnd() const override;
    bool seek(qint64 position) override;
    bool reset() override { return false; }

    /// Bytes handed to the engine; they may have left.
    [[nodiscard]] qint64 bytesTaken() const { return m_taken; }

Q_SIGNALS:
    void firstByteTaken();

protected:
    qint64 readData(char* data, qint64 maxSize) override;
    qint64 writeData(const char* data, qint64 maxSize) override;

private:
    QByteArray m_content;
    qint64 m_taken = 0;
};

} // namespace payonce::transport
