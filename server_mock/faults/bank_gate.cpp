#include "faults/bank_gate.h"

#include "faults/end_process.h"

#include <future>
#include <memory>
#include <thread>

namespace payonce::faults {

namespace {

/// Opens once, at the latest when its last owner lets go of it: a reset must not leave the bank's thread waiting.
class Barrier
{
public:
    Barrier() = default;
    Barrier(const Barrier&) = delete;
    Barrier& operator=(const Barrier&) = delete;
    Barrier(Barrier&&) = delete;
    Barrier& operator=(Barrier&&) = delete;
    ~Barrier() { open(); }

    void open()
    {
        if (!std::exchange(m_isOpen, true))
            m_promise.set_value();
    }
    [[nodiscard]] std::shared_future<void> opened() const { return m_opened; }

private:
    std::promise<void> m_promise;
    std::shared_future<void> m_opened = m_promise.get_future().share();
    bool m_isOpen = false;
};

} // namespace

FaultPoints::InsideBank insideForTime(std::chrono::milliseconds time)
{
    return [time] {
        std::this_thread::sleep_for(time);
        return true;
    };
}

FaultPoints::InsideBank insideUntilTheEnd()
{
    return [] {
        endProcess();
        return true;
    };
}

std::pair<FaultPoints::InsideBank, std::function<void()>> insideUntilReleased()
{
    auto barrier = std::make_shared<Barrier>();
    auto opened = barrier->opened();
    return {[opened] {
                opened.wait();
                return true;
            },
            [barrier] { barrier->open(); }};
}

} // namespace payonce::faults
