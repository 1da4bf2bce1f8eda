// Sentences about the selected step.
#include "playground/session/Captions.h"

#include "playground/session/Figures.h"
#include "playground/session/Session.h"
#include "playground/session/Strings.h"
#include "playground/session/ThreadPicture.h"

#include <algorithm>

namespace playground {
namespace {

std::string n(uint64_t value) {
    return std::to_string(value);
}

std::string nearestNote(const Session& session, const ShownAccess& shown) {
    if (!shown.nearest) return "";
    return " " + fill(tr(Text::NearestStep), {n(shown.row), n(session.rows().rows[shown.row].line)});
}

std::string refusedNote(const TraceRow& row) {
    return row.refused.empty() ? "" : fill(tr(Text::LanesRefused), {n(row.refused.count())});
}

} // namespace

const char* accessName(sim::AccessKind kind) {
    switch (kind) {
    case sim::AccessKind::Load: return tr(Text::AccessLoad);
    case sim::AccessKind::Store: return tr(Text::AccessStore);
    case sim::AccessKind::Atomic: return tr(Text::AccessAtomic);
    case sim::AccessKind::Reduction: return tr(Text::AccessReduction);
    }
    return "";
}

std::string warpName(const Session& session) {
    const RunResult* p = session.picture();
    if (p == nullptr) return "";
    const sim::LaunchConfig& c = p->launch.config;
    return fill(tr(Text::WarpOfBlock),
                {n(p->request.warp.value), formatCoordinate(c.grid.coordinate(p->request.block.value), c.grid)});
}

std::optional<ShownAccess> shownAccess(const Session& session, sim::MemorySpace space) {
    const sim::WarpTrace* trace = session.trace();
    if (trace == nullptr) return std::nullopt;
    const auto row = nearestAccess(session.rows(), *trace, session.selection().row, space);
    if (!row) return std::nullopt;
    const TraceRow& at = session.rows().rows[*row];
    const sim::Function* kernel = session.picture()->kernel;
    const sim::Pc pc = trace->steps[at.lastStep].pc;
    const bool known = kernel != nullptr && pc.value < kernel->code.size();
    return ShownAccess{*row, &trace->accesses[size_t(at.access)],
                       known ? sim::sharedOperation(*kernel, pc) : sim::SharedOperation::Load,
                       *row != session.selection().row};
}

std::string captionThreads(const Session& session) {
    const RunResult* p = session.picture();
    if (p == nullptr) return "";
    const sim::LaunchConfig& c = p->launch.config;
    const int lane = session.selection().lane;
    if (lane < 0)
        return fill(tr(Text::ThreadsNow),
                    {formatCount(c.grid.count()), formatCount(c.block.count()),
                     formatCount((c.block.count() + 31) / 32), formatCount(c.grid.count() * c.block.count())});
    const ThreadPicture t =
        pictureThread(c, p->request.block, p->request.warp, unsigned(lane), nullptr, nullptr, nullptr, {});
    if (!t.exists) return fill(tr(Text::ThreadAbsent), {n(uint64_t(lane)), warpName(session)});
    return fill(tr(Text::ThreadNow), {n(uint64_t(lane)), warpName(session), formatCoordinate(t.thread, c.block)});
}

std::string captionDivergence(const Session& session) {
    const TraceRow* row = session.row();
    if (row == nullptr) return "";
    const std::string where = fill(tr(Text::AtStep), {warpName(session), n(session.selection().row), n(row->line)});
    const unsigned on = row->active.count(), live = row->live.count();
    if (row->path >= 0)
        return where + fill(tr(Text::LanesOnPath), {n(on), n(live), session.rows().paths[size_t(row->path)].name});
    if (on == 32) return where + tr(Text::AllLanes);
    return where + fill(tr(Text::LanesTogether), {n(on), n(32 - on)});
}

std::string captionShared(const Session& session) {
    const auto shown = shownAccess(session, sim::MemorySpace::Shared);
    if (!shown) return "";
    const SharedPicture p = pictureShared(*shown->access, shown->operation, {});
    const TraceRow& row = session.rows().rows[shown->row];
    std::string verdict;
    if (p.wavefronts > p.ideal)
        verdict = fill(tr(Text::ConflictNow), {n(p.worst), n(p.wavefronts), n(p.ideal)});
    else if (p.wavefronts == 1)
        verdict = tr(Text::NoConflictOne);
    else
        verdict = fill(tr(Text::NoConflict), {n(p.wavefronts)});
    return fill(tr(Text::AccessAt),
                {warpName(session), n(row.line), accessName(shown->access->kind), n(shown->access->bytes)}) +
           verdict + refusedNote(row) + nearestNote(session, *shown);
}

std::string captionGlobal(const Session& session) {
    const auto shown = shownAccess(session, sim::MemorySpace::Global);
    if (!shown) return "";
    const GlobalPicture p = pictureGlobal(*shown->access, {});
    const TraceRow& row = session.rows().rows[shown->row];
    return fill(tr(Text::AccessAt),
                {warpName(session), n(row.line), accessName(shown->access->kind), n(shown->access->bytes)}) +
           (p.sectors == 1
                ? fill(tr(Text::SectorNow), {n(p.usefulBytes), n(p.fetchedBytes)})
                : fill(tr(Text::SectorsNow), {n(p.sectors), n(p.ideal), n(p.usefulBytes), n(p.fetchedBytes)})) +
           refusedNote(row) + nearestNote(session, *shown);
}

bool warpHasFindings(const Session& session) {
    const auto& rows = session.rows().rows;
    return std::any_of(rows.begin(), rows.end(), [](const TraceRow& row) { return row.finding; });
}

std::string whyMasked(const Session& session, unsigned lane) {
    const TraceRow* row = session.row();
    if (row == nullptr || row->active.has(lane)) return "";
    if (session.trace() && !session.trace()->initial.has(lane)) return fill(tr(Text::LaneNeverExisted), {n(lane)});
    if (!row->live.has(lane)) return fill(tr(Text::LaneExited), {n(lane)});
    const int split = rowThatMasked(session.rows(), session.selection().row, lane);
    if (split < 0) return fill(tr(Text::LaneMasked), {n(lane)});
    const TraceRow& at = session.rows().rows[size_t(split)];
    return fill(tr(Text::LaneMaskedBy), {n(lane), n(at.line), n(uint64_t(split))});
}

} // namespace playground
