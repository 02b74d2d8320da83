//! Values of rules that change in time: kernels beside the step write them before each one from tables that lie on the device, which counts
//! the steps itself, so that it never waits for the host and steps can be recorded.

use super::kernel::{Grid, Kernel, Threads};
use super::plan::Plan;
use super::resource::Resource;
use super::scheme::put;

/// The kernels `vary_0` and `vary_1`, for rules of nodes and of links, where values change in time, and `tick` behind a step. Their texts speak
/// f64.
pub(super) fn kernels(plan: &Plan) -> Vec<Kernel> {
    let mut kernels: Vec<Kernel> = (0..2).filter(|&of| plan.rules.varies[of]).map(vary).collect();
    if !kernels.is_empty() {
        kernels.push(tick());
    }
    kernels
}

/// The kernel that writes the values of nodes (0), or of links (1).
fn vary(of: usize) -> Kernel {
    let [places, bases, terms, factors, numbers] = [
        Resource::VaryingPlaces(of),
        Resource::VaryingBases(of),
        Resource::VaryingTerms(of),
        Resource::TermFactors(of),
        Resource::TermCourses(of),
    ];
    let tables = [Resource::Courses, Resource::CourseStarts, Resource::CourseBacks, Resource::Clock];
    let values = if of == 0 { Resource::RuleValues } else { Resource::LinkValues };
    let read = [places, bases, terms, factors, numbers].into_iter().chain(tables).map(Resource::read);
    let parameters = [Resource::Count.value(), values.written()].into_iter().chain(read).collect();
    let about = "\n// The `count` values of rules that change in time, for the coming step.\n";
    let mut kernel = Kernel::over_a_list(about, format!("vary_{of}"), parameters);
    let text = &mut kernel.body;
    put!(text, "// What is set holds when the step is done.");
    put!(text, "const unsigned long long time = *steps_done + 1ull;");
    put!(text, "double sum = {bases}[number];");
    put!(text, "for (unsigned term = {terms}[number]; term < {terms}[number + 1]; ++term) {{");
    put!(text, "const unsigned table = {numbers}[term], start = course_starts[table];");
    put!(text, "const unsigned length = course_starts[table + 1] - start, back = course_backs[table];");
    put!(
        text,
        "const unsigned at = (unsigned)(time < length ? time : back + (time - back) % (length - back));"
    );
    put!(text, "sum = wide::fma_rn(courses[start + at], {factors}[term], sum);");
    put!(text, "}}");
    put!(text, "{values}[{places}[number]] = (real)sum;");
    kernel
}

/// The kernel that counts a step.
fn tick() -> Kernel {
    let threads = Threads::in_rows(1, Some(1), Grid::Each(Resource::Count));
    let about = "\n// Counts a step.\n";
    let parameters = vec![Resource::Count.value(), Resource::Clock.written()];
    let mut kernel = Kernel::new(about, "tick", 0, threads, parameters);
    put!(kernel.body, "if (blockIdx.x + threadIdx.x < count) *steps_done += 1ull;");
    kernel
}
