// Hand-made programs, traces and reports.
#include "tests/ui/FakeBackend.h"

#include "playground/session/AccessPicture.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace fake {
namespace {

using namespace sim;
using namespace playground;

constexpr const char* kBanks = R"(// Stores with a stride into shared memory, then reads its neighbour's word.
__global__ void banks(float* out, const float* in, int n, int stride)
{
    __shared__ float tile[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    tile[(threadIdx.x * stride) % 1024] = x;
    __syncthreads();
    if (threadIdx.x % 4 == 0) {
        x = x * 2.0f;
    } else if (threadIdx.x % 2 == 0) {
        x = x + 1.0f;
    } else {
        x = -x;
    }
    for (int k = 0; k < threadIdx.x % 4; ++k)
        x += tile[0];
    out[i * stride] = x;
}
)";
constexpr const char* kAdd = R"(__global__ void vector_add(float* c, const float* a, const float* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
)";
constexpr const char* kText = R"(# Bank conflicts

Shared memory has **32 banks** of 4 bytes. In one pass a bank serves *one word*; when two lanes of a warp ask one bank
for different words, the access takes another pass, called a wavefront.

1. Start with [stride 1](action:set stride=1;view shared): every lane has a bank of its own.
2. Move to [stride 2](action:set stride=2): lanes 0 and 16 now meet in bank 0.
3. Try [stride 32](action:set stride=32). All lanes ask for bank 0.

| stride | ways | wavefronts |
|---|---|---|
| 1 | 1 | 1 |
| 2 | 2 | 2 |
| 32 | 32 | 32 |

```cuda
tile[(threadIdx.x * stride) % 1024] = x;   // line 8
```

> An odd stride never conflicts: it shares no factor with 32.

Look at [line 8](action:line 8) and step with `F10`.

## Your turn

Change the index so that a stride of 32 has **no** conflicts. Padding one word a row is enough.
)";

/// Builds a kernel and the trace of one of its warps side by side.
struct Maker {
    Function function;
    WarpTrace trace;
    LaunchReport report;

    void step(uint32_t line, LaneMask active, LaneMask live, Opcode op = Opcode::AddI32) {
        Instruction instruction;
        instruction.op = op;
        TraceStep s;
        s.pc = Pc{uint32_t(function.code.size())};
        s.active = active;
        s.live = live;
        function.code.push_back(instruction);
        function.locations.push_back({line, 5});
        trace.steps.push_back(s);
    }

    template <class Address>
    void access(uint32_t line, LaneMask active, LaneMask live, MemorySpace space, AccessKind kind, Address address) {
        step(line, active, live, kind == AccessKind::Load ? Opcode::Load : Opcode::Store);
        TracedAccess a;
        a.active = active;
        a.space = space;
        a.kind = kind;
        a.bytes = 4;
        for (unsigned lane = 0; lane < 32; ++lane) {
            a.address[lane] = address(lane);
            const float value = 0.5f * float(lane);
            std::memcpy(a.value[lane].data(), &value, 4);
        }
        trace.steps.back().access = int32_t(trace.accesses.size());
        trace.steps.back().accessCount = 1;
        trace.accesses.push_back(a);
    }
};

constexpr uint64_t kIn = regionBase(2), kOut = regionBase(3), kTile = regionBase(9), kB = regionBase(4);

LaneMask where(LaneMask from, bool (*test)(unsigned)) {
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (from.has(lane) && test(lane)) bits |= 1u << lane;
    return LaneMask{bits};
}

void banksTrace(Maker& m, uint32_t base, uint32_t stride, LaneMask live) {
    const auto global = [](uint64_t start, uint32_t first, uint32_t step) {
        return [=](unsigned lane) { return start + uint64_t{first + lane} * step * 4; };
    };
    m.step(5, live, live), m.step(5, live, live);
    m.step(6, live, live, Opcode::Branch);
    m.access(7, live, live, MemorySpace::Global, AccessKind::Load, global(kIn, base, 1));
    m.step(8, live, live);
    m.access(8, live, live, MemorySpace::Shared, AccessKind::Store,
             [=](unsigned lane) { return kTile + (base % 256 + lane) * stride % 1024 * 4; });
    m.step(9, live, live, Opcode::Barrier);
    const LaneMask a = where(live, [](unsigned l) { return l % 4 == 0; }), rest = live & ~a;
    const LaneMask b = where(rest, [](unsigned l) { return l % 2 == 0; }), c = rest & ~b;
    m.step(10, live, live), m.step(10, live, live, Opcode::Branch);
    m.step(11, a, live);
    m.step(12, rest, live, Opcode::Branch);
    m.step(13, b, live);
    m.step(15, c, live);
    for (unsigned k = 0; k < 3; ++k) {
        uint32_t bits = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
            if (live.has(lane) && lane % 4 >= k) bits |= 1u << lane;
        const LaneMask on{bits};
        m.step(17, on, live, Opcode::Branch);
        const LaneMask inner = where(
            on, k == 0   ? [](unsigned l) { return l % 4 > 0; }
                : k == 1 ? [](unsigned l) { return l % 4 > 1; }
                         : [](unsigned l) { return l % 4 > 2; });
        m.access(18, inner, live, MemorySpace::Shared, AccessKind::Load, [](unsigned) { return kTile; });
    }
    m.access(19, live, live, MemorySpace::Global, AccessKind::Store, global(kOut, base, stride));
    m.step(20, live, LaneMask{}, Opcode::Exit);
}

void addTrace(Maker& m, uint32_t base, uint32_t n) {
    const LaneMask all = LaneMask::full(), on = LaneMask::first(base >= n ? 0 : std::min(32u, n - base));
    m.step(3, all, all), m.step(3, all, all);
    m.step(4, all, all, Opcode::Branch);
    if (!on.empty()) {
        m.access(5, on, all, MemorySpace::Global, AccessKind::Load,
                 [=](unsigned lane) { return kIn + (base + lane) * 4; });
        m.access(5, on, all, MemorySpace::Global, AccessKind::Load,
                 [=](unsigned lane) { return kB + (base + lane) * 4; });
        m.step(5, on, all);
        m.access(5, on, all, MemorySpace::Global, AccessKind::Store,
                 [=](unsigned lane) { return kOut + (base + lane) * 4; });
    }
    m.step(6, all, LaneMask{}, Opcode::Exit);
}

/// Counters of the report from the trace, as if every warp did the same.
void countLines(Maker& m, uint64_t warps) {
    std::vector<LineCounters>& lines = m.report.byLine;
    for (const TraceStep& s : m.trace.steps) {
        const uint32_t line = m.function.locations[s.pc.value].line;
        auto at = std::find_if(lines.begin(), lines.end(), [&](const LineCounters& l) { return l.line == line; });
        if (at == lines.end()) at = lines.insert(lines.end(), {line, {}});
        at->counters.warpInstructions += warps;
        at->counters.threadInstructions += warps * s.active.count();
        if (s.access < 0) continue;
        const TracedAccess& a = m.trace.accesses[size_t(s.access)];
        const AccessCost cost = costOf(a, a.kind == AccessKind::Load ? SharedOperation::Load : SharedOperation::Store);
        AccessCounters& c = at->counters.of(a.space, a.kind);
        c.requests += warps;
        (a.space == MemorySpace::Shared ? c.wavefronts : c.sectors) += warps * cost.actual;
        (a.space == MemorySpace::Shared ? c.idealWavefronts : c.idealSectors) += warps * cost.ideal;
    }
    std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
    for (const LineCounters& l : lines) m.report.total += l.counters;
}

LaunchReport launch(const Program&, const std::string& kernel, const LaunchConfig& config,
                    std::span<const Argument> arguments, std::vector<Buffer>&, const LaunchOptions& options) {
    Maker m;
    const TraceRequest& wanted = options.traces[0];
    m.trace.block = wanted.block;
    m.trace.warp = wanted.warp;
    int32_t numbers[2] = {0, 1};
    for (size_t i = 0, k = 0; i < arguments.size() && k < 2; ++i)
        if (arguments[i].buffer < 0) std::memcpy(&numbers[k++], arguments[i].scalar.data(), 4);
    const uint32_t base = uint32_t(wanted.block.value * config.block.count() + wanted.warp.value * 32);
    m.trace.initial = LaneMask::full();
    if (kernel == "banks")
        banksTrace(m, base, uint32_t(numbers[1]), LaneMask::full());
    else
        addTrace(m, base, uint32_t(numbers[0]));
    countLines(m, config.grid.count() * config.block.count() / 32);
    m.report.allocations = {{"in", "float", MemorySpace::Global, kIn, 1 << 20, 0, 4, {}},
                            {"out", "float", MemorySpace::Global, kOut, 1 << 22, 1, 4, {}},
                            {"b", "float", MemorySpace::Global, kB, 1 << 20, 2, 4, {}},
                            {"tile", "float", MemorySpace::Shared, kTile, 4096, -1, 4, {1024}}};
    m.report.printed = "hello from the kernel\n";
    if (kernel == "banks" && numbers[1] >= 32) {
        Finding f;
        f.kind = FindingKind::SharedRace;
        f.count = 32;
        f.first = {{8, 5}, {0, 0, 0}, {1, 0, 0}};
        f.message = "Two threads write tile[0] without a barrier between them: thread 0 and thread 1.";
        m.report.findings.push_back(f);
    }
    m.report.traces.push_back(m.trace);
    return m.report;
}

CompileResult compile(const std::string& source, const CompileOptions&) {
    CompileResult result;
    if (source.find("slow") != std::string::npos) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (const size_t at = source.find("error"); at != std::string::npos) {
        Diagnostic d;
        d.at = {uint32_t(std::count(source.begin(), source.begin() + long(at), '\n')) + 1, 5};
        d.message = "use of undeclared identifier 'error'; did you mean 'erf'?";
        result.diagnostics.push_back(d);
        return result;
    }
    auto program = std::make_shared<Program>();
    program->source = source;
    for (const char* name : {"banks", "vector_add"}) {
        Maker m;
        if (std::string(name) == "banks")
            banksTrace(m, 0, 1, LaneMask::full());
        else
            addTrace(m, 0, 1u << 20);
        m.function.name = name;
        m.function.kernel = true;
        program->functions.push_back(m.function);
    }
    result.program = program;
    return result;
}

Argument scalar(int32_t value) {
    Argument a;
    a.scalar.resize(4);
    std::memcpy(a.scalar.data(), &value, 4);
    return a;
}

std::optional<ResolvedLaunch> resolve(const Lesson& lesson, const Variant& variant, const KnobValues& knobs,
                                      const std::string& source, std::string&) {
    ResolvedLaunch out;
    out.source = source;
    out.fileName = variant.file;
    out.kernel = variant.kernel;
    const uint32_t n = uint32_t(knobs.at("n")), block = uint32_t(knobs.at("block"));
    out.config.block = {block, 1, 1};
    out.config.grid = {(n + block - 1) / block, 1, 1};
    for (const char* name : {"in", "out", "b"}) {
        Buffer b;
        b.name = name;
        out.buffers.push_back(b);
    }
    out.arguments = {scalar(int32_t(n))};
    if (lesson.slug == "10-fake-banks") out.arguments.push_back(scalar(int32_t(knobs.at("stride"))));
    return out;
}

Knob knob(const char* name, double value, double low, double high, std::vector<double> choices = {}) {
    Knob k;
    k.name = name;
    k.label = name;
    k.help = "Moves the picture.";
    k.value = value;
    k.minimum = low;
    k.maximum = high;
    k.choices = std::move(choices);
    return k;
}

std::shared_ptr<Lesson> lesson(int number, const char* slug, const char* title, const char* text) {
    auto l = std::make_shared<Lesson>();
    l->number = number;
    l->slug = slug;
    l->title["en"] = title;
    l->text["en"] = text;
    return l;
}

} // namespace

SessionSetup setup() {
    SessionSetup s;
    auto banks = lesson(10, "10-fake-banks", "Bank conflicts", kText);
    banks->variants = {{"strided", "Strided", "Stores with a stride.", "bank-conflicts/strided.cu", "banks", {}},
                       {"padded", "Padded", "One word of padding a row.", "bank-conflicts/padded.cu", "banks", {}}};
    banks->knobs = {knob("n", 4096, 32, 65536), knob("block", 256, 32, 1024, {32, 64, 128, 256, 512, 1024}),
                    knob("stride", 2, 1, 32)};
    banks->knobs[0].logarithmic = true;
    banks->views = {"shared", "divergence"};
    auto add = lesson(1, "01-fake-add", "Thread indexing", "# Thread indexing\n\nEvery thread finds its element.\n");
    add->variants = {{"guarded", "With the guard", "", "thread-indexing/vector_add.cu", "vector_add", {}}};
    add->knobs = {knob("n", 1000, 1, 65536), knob("block", 256, 32, 1024, {32, 64, 128, 256, 512, 1024})};
    add->views = {"threads", "global"};
    s.lessons = {add, banks};
    s.backend = {resolve, compile, launch};
    s.readKernel = [](const Variant& v, std::string&) {
        return std::optional<std::string>(v.kernel == "banks" ? kBanks : kAdd);
    };
    return s;
}

} // namespace fake
