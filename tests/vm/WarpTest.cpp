// Shuffles, votes, matches and reductions, and lanes that have to wait for each other first.
#include "VmTest.h"

namespace sim::vm::test {
namespace {

using enum Opcode;
using enum SpecialRegister;

/// kernel(int *out): out[tid] = value.
struct Exchange : Builder {
    Exchange() : Builder("exchange") {
        out = pointer("out", ElementType::I32);
        tid = special(TidX);
        lane = special(LaneId);
        value = slot32();
        at = slot64();
        condition = predicate();
        all = constant32(0xffffffffu);
    }
    void finishThread() {
        emit(AddressS32, at, out, tid, kNoSlot, 0, 4);
        store(at, value);
        exit();
    }
    void shuffle(ShuffleMode mode, Slot operand, uint32_t width = 32, Slot members = kNoSlot) {
        // As __shfl_sync encodes it: segment mask in bits 8-12, clamp 0 for up and 31 otherwise.
        const uint32_t clamp = (32 - width) << 8 | (mode == ShuffleMode::Up ? 0 : 31);
        emit(Shuffle, value, value, operand, constant32(clamp), uint16_t(unsigned(mode) | 16), members == kNoSlot ? all : members);
    }
    Slot out, tid, lane, value, at, condition, all;
};

std::pair<RunResult, std::vector<int32_t>> runExchange(const Program& program, unsigned threads = 32) {
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(threads, -1))};
    RunResult r = launchProgram(program, {1}, {threads}, {argument(0)}, buffers);
    return {std::move(r), valuesOf<int32_t>(buffers[0])};
}

TEST(Warp, ShuffleModes) {
    struct Case {
        ShuffleMode mode;
        uint32_t operand, width;
        int (*source)(int lane);
    };
    const Case cases[] = {{ShuffleMode::Down, 4, 32, [](int l) { return l + 4 < 32 ? l + 4 : l; }},
                          {ShuffleMode::Up, 3, 32, [](int l) { return l >= 3 ? l - 3 : l; }},
                          {ShuffleMode::Bfly, 5, 32, [](int l) { return l ^ 5; }},
                          {ShuffleMode::Idx, 9, 32, [](int) { return 9; }},
                          {ShuffleMode::Idx, 9, 8, [](int l) { return l / 8 * 8 + 1; }},
                          {ShuffleMode::Down, 2, 8, [](int l) { return l % 8 + 2 < 8 ? l + 2 : l; }},
                          {ShuffleMode::Up, 1, 16, [](int l) { return l % 16 >= 1 ? l - 1 : l; }},
                          {ShuffleMode::Bfly, 16, 16, [](int l) { return l < 16 ? l : l - 16; }}};
    for (const Case& c : cases) {
        Exchange e;
        e.emit(MulI32, e.value, e.lane, e.constant32(10));
        e.shuffle(c.mode, e.constant32(c.operand), c.width);
        e.finishThread();
        const auto [r, out] = runExchange(e.build());
        EXPECT_TRUE(r.findings.empty());
        for (int l = 0; l < 32; ++l) EXPECT_EQ(out[size_t(l)], 10 * c.source(l)) << int(c.mode) << " width " << c.width << " lane " << l;
    }
}

TEST(Warp, ShuffleDownSumsAWarp) {
    Exchange e;
    const auto sum = e.slot32();
    e.emit(Mov32, sum, e.lane);
    for (uint32_t offset = 16; offset > 0; offset /= 2) {
        e.emit(Mov32, e.value, sum);
        e.shuffle(ShuffleMode::Down, e.constant32(offset));
        e.emit(AddI32, sum, sum, e.value);
    }
    e.emit(Mov32, e.value, sum);
    e.finishThread();
    EXPECT_EQ(runExchange(e.build()).second[0], 496);
}

TEST(Warp, ReadingALaneThatIsNotThereIsReported) {
    // A block of 20: lane 19 reads lane 23, which does not exist.
    Exchange e;
    e.emit(Mov32, e.value, e.lane);
    e.line(4);
    e.shuffle(ShuffleMode::Down, e.constant32(4));
    e.finishThread();
    const auto [r, out] = runExchange(e.build(), 20);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::AbsentLaneRead);
    EXPECT_EQ(r.findings[0].count, 4u);
    EXPECT_EQ(r.findings[0].first.thread.x, 16u);
    EXPECT_EQ(out[15], 19);
    EXPECT_EQ(out[16], 0);
}

TEST(Warp, Votes) {
    const auto vote = [](VoteMode mode, uint32_t below, unsigned threads) {
        Exchange e;
        const auto p = e.predicate(), d = e.slot32();
        e.emit(LtU32, p, e.lane, e.constant32(below));
        e.emit(Vote, d, p, e.all, kNoSlot, uint16_t(mode));
        if (mode == VoteMode::Ballot) e.emit(Mov32, e.value, d);
        else e.emit(PToI32, e.value, d);
        e.finishThread();
        return runExchange(e.build(), threads).second[threads - 1];
    };
    EXPECT_EQ(vote(VoteMode::Ballot, 5, 32), 0x1f);
    EXPECT_EQ(vote(VoteMode::Ballot, 40, 20), 0xfffff);
    EXPECT_EQ(vote(VoteMode::All, 32, 32), 1);
    EXPECT_EQ(vote(VoteMode::All, 31, 32), 0);
    EXPECT_EQ(vote(VoteMode::All, 20, 20), 1);
    EXPECT_EQ(vote(VoteMode::Any, 1, 32), 1);
    EXPECT_EQ(vote(VoteMode::Any, 0, 32), 0);
    EXPECT_EQ(vote(VoteMode::Uniform, 0, 32), 1);
    EXPECT_EQ(vote(VoteMode::Uniform, 7, 32), 0);
}

TEST(Warp, VoteIgnoresLanesOutsideTheMask) {
    // Lanes 0-15 vote among themselves: if (lane < 16) v = __ballot_sync(0xffff, lane & 1)
    Exchange e;
    const auto p = e.predicate(), bit = e.slot32();
    const auto arm = e.label(), end = e.label();
    e.emit(Mov32, e.value, e.constant32(0));
    e.emit(AndI32, bit, e.lane, e.constant32(1));
    e.emit(I32ToP, p, bit);
    e.emit(LtU32, e.condition, e.lane, e.constant32(16));
    e.branch(e.condition, arm, end, end);
    e.place(arm);
    e.emit(Vote, e.value, p, e.constant32(0xffff), kNoSlot, uint16_t(VoteMode::Ballot));
    e.jump(end);
    e.place(end);
    e.finishThread();
    const auto [r, out] = runExchange(e.build());
    EXPECT_TRUE(r.findings.empty());
    for (int l = 0; l < 32; ++l) EXPECT_EQ(out[size_t(l)], l < 16 ? 0xaaaa : 0);
}

TEST(Warp, Matches) {
    Exchange e;
    const auto key = e.slot32(), wide = e.slot64();
    e.emit(AndI32, key, e.lane, e.constant32(3));
    e.emit(SignExtend32To64, wide, key);
    e.emit(Match, e.value, wide, e.all, kNoSlot, 2);
    e.finishThread();
    const auto [r, out] = runExchange(e.build());
    for (int l = 0; l < 32; ++l) EXPECT_EQ(uint32_t(out[size_t(l)]), 0x11111111u << (l & 3));
    for (const uint32_t modulus : {1u, 2u}) { // match.all: equal everywhere, and not
        Exchange a;
        const auto k = a.slot32(), p = a.predicate(), both = a.slot32();
        a.emit(RemU32, k, a.lane, a.constant32(modulus));
        a.emit(Match, a.value, k, a.all, p, 1);
        a.emit(PToI32, both, p);
        a.emit(XorI32, a.value, a.value, both);
        a.finishThread();
        EXPECT_EQ(uint32_t(runExchange(a.build()).second[5]), modulus == 1 ? 0xfffffffeu : 0u);
    }
}

TEST(Warp, Reductions) {
    const auto reduce = [](AtomicOp op, AtomicType type, uint32_t offset) {
        Exchange e;
        e.emit(SubI32, e.value, e.lane, e.constant32(offset));
        e.emit(Redux, e.value, e.value, e.all, kNoSlot, packAtomic(op, type));
        e.finishThread();
        return runExchange(e.build()).second[3];
    };
    EXPECT_EQ(reduce(AtomicOp::Add, AtomicType::I32, 16), -16);
    EXPECT_EQ(reduce(AtomicOp::Min, AtomicType::I32, 16), -16);
    EXPECT_EQ(reduce(AtomicOp::Max, AtomicType::I32, 16), 15);
    EXPECT_EQ(reduce(AtomicOp::Min, AtomicType::U32, 16), 0);
    EXPECT_EQ(reduce(AtomicOp::Max, AtomicType::U32, 16), -1);
    EXPECT_EQ(reduce(AtomicOp::Or, AtomicType::U32, 0), 31);
    EXPECT_EQ(reduce(AtomicOp::And, AtomicType::U32, 0), 0);
    EXPECT_EQ(reduce(AtomicOp::Xor, AtomicType::U32, 0), 0);
}

TEST(Warp, ActiveMaskInAnArm) {
    Exchange e;
    const auto arm = e.label(), end = e.label();
    e.emit(Mov32, e.value, e.constant32(0));
    e.emit(LtU32, e.condition, e.lane, e.constant32(7));
    e.branch(e.condition, arm, end, end);
    e.place(arm);
    e.emit(ActiveMask, e.value);
    e.jump(end);
    e.place(end);
    e.finishThread();
    const auto out = runExchange(e.build()).second;
    EXPECT_EQ(out[6], 0x7f);
    EXPECT_EQ(out[7], 0);
}

/// Two halves of a warp that never meet by themselves come to one shuffle whose mask names both.
TEST(Warp, ShuffleGathersItsMembers) {
    Exchange e;
    const auto low = e.label(), high = e.label(), meet = e.label();
    e.emit(LtU32, e.condition, e.lane, e.constant32(16));
    e.branch(e.condition, low, high); // no reconvergence point: the halves stay apart
    e.place(low);
    e.emit(AddI32, e.value, e.lane, e.constant32(100));
    e.jump(meet);
    e.place(high);
    e.emit(AddI32, e.value, e.lane, e.constant32(200));
    e.jump(meet);
    e.place(meet);
    e.shuffle(ShuffleMode::Bfly, e.constant32(16));
    e.finishThread();
    const auto [r, out] = runExchange(e.build());
    EXPECT_TRUE(r.findings.empty());
    for (int l = 0; l < 32; ++l) EXPECT_EQ(out[size_t(l)], l < 16 ? 216 + l : 84 + l) << l;
}

TEST(Warp, SyncwarpOrdersTheArms) {
    // The high half writes shared memory, both call __syncwarp(), the low half reads. Low runs first.
    Exchange e;
    const auto low = e.label(), high = e.label(), end = e.label();
    const auto tile = e.addressOf(e.shared("tile", 128)), where = e.slot64();
    e.emit(AddressS32, where, tile, e.lane, kNoSlot, 0, 4);
    e.emit(Mov32, e.value, e.lane);
    e.emit(LtU32, e.condition, e.lane, e.constant32(16));
    e.branch(e.condition, low, high, end);
    e.place(low);
    e.emit(WarpSync, kNoSlot, e.all);
    e.load(e.value, where, 4, 1, 64);
    e.jump(end);
    e.place(high);
    e.store(where, e.lane);
    e.emit(WarpSync, kNoSlot, e.all);
    e.jump(end);
    e.place(end);
    e.finishThread();
    const auto [r, out] = runExchange(e.build());
    EXPECT_TRUE(r.findings.empty());
    for (int l = 0; l < 32; ++l) EXPECT_EQ(out[size_t(l)], l < 16 ? l + 16 : l);
}

TEST(Warp, MissingMembersAreReportedAndTheLaunchGoesOn) {
    // if (lane < 16) __shfl_xor_sync(~0, ...) while the others wait at the end of the if
    Exchange e;
    const auto arm = e.label(), end = e.label();
    e.emit(Mov32, e.value, e.lane);
    e.emit(LtU32, e.condition, e.lane, e.constant32(16));
    e.branch(e.condition, arm, end, end);
    e.place(arm);
    e.line(6);
    e.shuffle(ShuffleMode::Bfly, e.constant32(1));
    e.jump(end);
    e.place(end);
    e.finishThread();
    const auto [r, out] = runExchange(e.build());
    EXPECT_EQ(r.status, LaunchStatus::Finished);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::MaskMismatch);
    EXPECT_EQ(r.findings[0].first.at.line, 6u);
    for (int l = 0; l < 32; ++l) EXPECT_EQ(out[size_t(l)], l < 16 ? l ^ 1 : l);
}

TEST(Warp, MembersThatHaveExitedAreNotWaitedFor) {
    Exchange e;
    const auto leave = e.label(), stay = e.label();
    e.emit(LtU32, e.condition, e.lane, e.constant32(16));
    e.branch(e.condition, stay, leave); // the staying half runs first and waits
    e.place(leave);
    e.exit();
    e.place(stay);
    e.emit(Mov32, e.value, e.lane);
    e.shuffle(ShuffleMode::Bfly, e.constant32(1));
    e.finishThread();
    const auto [r, out] = runExchange(e.build());
    EXPECT_TRUE(r.findings.empty());
    for (int l = 0; l < 16; ++l) EXPECT_EQ(out[size_t(l)], l ^ 1);
}

} // namespace
} // namespace sim::vm::test
