//! Many launches as one: recorded once from a stream, then launched again and again.

use cudarc::driver::result::{graph, stream};
use cudarc::driver::sys::{CUgraphExec, CUgraphInstantiate_flags, CUstreamCaptureMode};
use lbm_core::Error;

use super::context::Owned;
use super::stream::Stream;

/// A recorded sequence of launches, ready to be launched as a whole.
pub struct Graph(Owned<CUgraphExec>);

impl Graph {
    /// Records what `record` puts in `stream` instead of running it. In `record`, only put launches in that stream: allocating,
    /// freeing, waiting and copies to the host are not possible there.
    pub fn capture(stream: &Stream, record: impl FnOnce() -> Result<(), Error>) -> Result<Graph, Error> {
        let Owned { context, handle, .. } = &stream.0;
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the stream is alive.
        context.call("cuStreamBeginCapture", || unsafe { stream::begin_capture(*handle, mode) })?;
        let recorded = record();
        // SAFETY: the stream is alive. The capture ends whatever `record` gave.
        let ended = context.call("cuStreamEndCapture", || unsafe { stream::end_capture(*handle) });
        let graph = ended.map(|graph| Owned::new(context, graph, graph::destroy));
        recorded?;
        let (graph, flags) = (graph?, CUgraphInstantiate_flags(0));
        // SAFETY: the graph is alive.
        let make = || unsafe { graph::instantiate(graph.handle, flags) };
        let executable = context.call("cuGraphInstantiate", make)?;
        Ok(Graph(Owned::new(context, executable, graph::exec_destroy).in_use()))
    }

    /// Puts the whole sequence in `stream`.
    ///
    /// # Safety
    /// All that was recorded must still be alive until the sequence has run: kernels, buffers; the promises of
    /// [`super::Kernel::launch`] hold for every launch in it; and no other thread launches this graph at the same time.
    pub unsafe fn launch(&self, stream: &Stream) -> Result<(), Error> {
        // SAFETY: graph and stream are alive, and what they use is, as the caller promises.
        let launch = || unsafe { graph::launch(self.0.handle, stream.0.handle) };
        Ok(self.0.context.call("cuGraphLaunch", launch)?)
    }
}
