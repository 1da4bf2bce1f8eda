// The session over hand-made runs: results arrive, edits rerun, links and keys act.
#include "playground/session/Session.h"
#include "playground/session/Captions.h"
#include "playground/session/Commands.h"
#include "playground/session/ThreadPicture.h"
#include "tests/ui/FakeBackend.h"

#include <gtest/gtest.h>

#include <thread>

#include <unistd.h>

using namespace playground;

namespace {

/// Lets the worker finish.
void settle(Session& s) {
    for (int i = 0; i < 2000; ++i) {
        s.update();
        if (!s.stale() && s.result()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    FAIL() << "the worker did not finish";
}

struct Ready : ::testing::Test {
    Session s{fake::setup()};
    Clipboard clipboard{[this] { return copied; }, [this](const std::string& text) { copied = text; }};
    std::string copied;
    void SetUp() override {
        ASSERT_TRUE(s.openLesson("10-fake-banks"));
        settle(s);
    }
    void press(const char* keys) { handleKey(s, *keyPressFromString(keys), clipboard); }
};

TEST_F(Ready, OpensAtTheFirstSharedAccess) {
    ASSERT_NE(s.picture(), nullptr);
    EXPECT_EQ(s.row()->line, 8u);
    EXPECT_EQ(captionShared(s), "warp 0 of block 0, line 8, store of 4 B: 2-way conflict: 2 wavefronts (1 ideal)");
}

TEST_F(Ready, AKnobMovesThePictureAndKeepsTheStep) {
    s.setKnob("stride", 1);
    EXPECT_TRUE(s.stale());
    settle(s);
    EXPECT_EQ(s.row()->line, 8u);
    EXPECT_EQ(captionShared(s), "warp 0 of block 0, line 8, store of 4 B: no conflict: 1 wavefront");
}

TEST_F(Ready, KnobsAreHeldToTheirRange) {
    s.setKnob("stride", 1000);
    EXPECT_EQ(s.knobs().at("stride"), 32);
    s.setKnob("block", 200);
    EXPECT_EQ(s.knobs().at("block"), 256);
    EXPECT_FALSE(s.setKnob("nonsense", 1));
}

TEST_F(Ready, AnErrorKeepsTheOldPicture) {
    s.document().moveToEnd(false);
    s.document().insert("error");
    settle(s);
    EXPECT_FALSE(s.result()->launched);
    EXPECT_EQ(s.result()->compiled.diagnostics.size(), 1u);
    ASSERT_NE(s.picture(), nullptr);
    EXPECT_FALSE(s.rows().rows.empty());
    s.document().undo();
    settle(s);
    EXPECT_TRUE(s.result()->launched);
}

TEST_F(Ready, TheLatestEditWins) {
    for (int i = 0; i < 20; ++i) {
        s.document().insert("/");
        s.update();
    }
    settle(s);
    EXPECT_EQ(s.picture()->request.source, s.document().text());
}

TEST_F(Ready, AnotherWarpIsTraced) {
    s.selectWarp(sim::BlockId{3}, sim::WarpId{7});
    settle(s);
    EXPECT_EQ(s.trace()->block.value, 3u);
    EXPECT_EQ(s.trace()->warp.value, 7u);
    s.setKnob("n", 32);
    s.setKnob("block", 32);
    settle(s);
    EXPECT_EQ(s.selection().block.value, 0u);
    EXPECT_EQ(s.selection().warp.value, 0u);
}

TEST_F(Ready, LinksOfTheTextAct) {
    s.applyAction("set stride=4; view threads; line 19");
    EXPECT_EQ(s.ui.views[0], "threads");
    settle(s);
    EXPECT_EQ(s.knobs().at("stride"), 4);
    EXPECT_EQ(s.row()->line, 19u);
    s.applyAction("step next-divergence");
    EXPECT_TRUE(s.row()->divergent);
    s.applyAction("dance wildly");
    EXPECT_TRUE(s.ui.noticeIsProblem);
}

TEST_F(Ready, ALinkToALineAlwaysShowsTheSameStep) {
    s.applyAction("line 18");
    const uint32_t first = s.selection().row;
    s.applyAction("line 18");
    EXPECT_EQ(s.selection().row, first);
    s.applyAction("set stride=5; line 18");
    settle(s);
    EXPECT_EQ(s.selection().row, first);
    s.goToLine(18);
    EXPECT_GT(s.selection().row, first);
}

TEST_F(Ready, KeysStepAndTypeByFocus) {
    press("Home");
    EXPECT_EQ(s.selection().row, 0u);
    press("F10"), press("F10"), press("Shift+F10");
    EXPECT_EQ(s.selection().row, 1u);
    press("End");
    EXPECT_EQ(s.selection().row, s.rows().rows.size() - 1);
    EXPECT_FALSE(handleText(s, "x"));
    s.ui.focus = Pane::Code;
    const std::string before = s.document().text();
    EXPECT_TRUE(handleText(s, "x"));
    press("P"); // a letter key types, it does not switch modes
    EXPECT_FALSE(s.ui.projector);
    press("Ctrl+Z");
    EXPECT_EQ(s.document().text(), before);
    press("Ctrl+A"), press("Ctrl+C");
    EXPECT_EQ(copied, before);
    press("Esc"), press("P");
    EXPECT_TRUE(s.ui.projector);
}

TEST_F(Ready, ResetBringsTheShippedKernelBackAndUndoTheEdit) {
    s.document().insert("x");
    EXPECT_TRUE(s.edited());
    s.resetCode();
    EXPECT_FALSE(s.edited());
    s.document().undo();
    EXPECT_TRUE(s.edited());
}

TEST_F(Ready, MaskedLanesAreExplained) {
    for (uint32_t r = 0; r < s.rows().rows.size(); ++r)
        if (s.rows().rows[r].line == 11) s.stepTo(r);
    EXPECT_EQ(whyMasked(s, 0), "");
    EXPECT_NE(whyMasked(s, 1).find("line 10"), std::string::npos);
}

TEST_F(Ready, EditsAndSettingsSurviveARestart) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("playground-session-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    const auto make = [&] {
        SessionSetup setup = fake::setup();
        setup.store = SettingsStore(folder, folder);
        return setup;
    };
    {
        Session first(make());
        first.openLesson("10-fake-banks");
        first.setKnob("stride", 8);
        first.document().insert("// mine\n");
        first.ui.lessonShare = 0.3;
    }
    Session second(make());
    EXPECT_EQ(second.lesson()->slug, "10-fake-banks");
    EXPECT_EQ(second.knobs().at("stride"), 8);
    EXPECT_TRUE(second.document().text().starts_with("// mine\n"));
    EXPECT_TRUE(second.edited());
    EXPECT_DOUBLE_EQ(second.ui.lessonShare, 0.3);
    std::filesystem::remove_all(folder);
}

TEST(ThreadPicture, FillsInTheArithmetic) {
    const ThreadPicture t =
        pictureThread({{4, 1, 1}, {256, 1, 1}, 0}, sim::BlockId{3}, sim::WarpId{1}, 9, nullptr, nullptr, nullptr, {});
    ASSERT_EQ(t.indices.size(), 1u);
    EXPECT_EQ(t.indices[0].formula, "blockIdx.x * blockDim.x + threadIdx.x");
    EXPECT_EQ(t.indices[0].numbers, "3 * 256 + 41");
    EXPECT_EQ(t.indices[0].value, "809");
}

TEST(ThreadPicture, TwoDimensionalBlocksAreCutRowByRow) {
    const ThreadPicture t =
        pictureThread({{2, 2, 1}, {16, 4, 1}, 0}, sim::BlockId{3}, sim::WarpId{1}, 5, nullptr, nullptr, nullptr, {});
    EXPECT_EQ(t.thread, (sim::Dim3{5, 2, 0}));
    ASSERT_EQ(t.indices.size(), 3u);
    EXPECT_EQ(t.indices[1].value, "6");
    EXPECT_EQ(t.indices[2].numbers, "5 + 16 * 2");
    EXPECT_FALSE(
        pictureThread({{1, 1, 1}, {48, 1, 1}, 0}, sim::BlockId{0}, sim::WarpId{1}, 20, nullptr, nullptr, nullptr, {})
            .exists);
}

} // namespace
