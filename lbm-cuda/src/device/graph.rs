//! Many launches as one: recorded once from a stream, then launched again and again.

use std::ptr;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUgraph, CUgraphExec, CUstreamCaptureMode};
use lbm_core::Error;

use super::context::Context;
use super::stream::Stream;

/// A recorded sequence of launches and copies, ready to be launched as a whole.
#[derive(Debug)]
pub struct Graph {
    context: Arc<Context>,
    executable: CUgraphExec,
}

// SAFETY: the driver's functions on a graph may be called from any thread, though not at the same time: hence not
// `Sync`.
unsafe impl Send for Graph {}

impl Graph {
    /// Records what `record` puts in `stream` instead of running it. In `record`, only put launches,
    /// [`super::Buffer::copy_from`] and [`super::Buffer::clear`] in that stream: allocating, freeing, waiting and
    /// copies to the host are not possible there.
    ///
    /// # Errors
    /// That of `record`; else what the driver says.
    pub fn capture(
        stream: &Stream,
        record: impl FnOnce(&Stream) -> Result<(), Error>,
    ) -> Result<Graph, Error> {
        let context = Arc::clone(&stream.context);
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the stream is alive.
        let begin = || unsafe { sys::cuStreamBeginCapture_v2(stream.handle, mode) };
        context.call("cuStreamBeginCapture", begin)?;
        let recorded = record(stream);
        let mut graph = ptr::null_mut();
        // SAFETY: the stream is alive and the pointer valid for a write. The capture ends whatever `record` gave.
        let end = || unsafe { sys::cuStreamEndCapture(stream.handle, &mut graph) };
        let ended = context.call("cuStreamEndCapture", end);
        let graph = Recorded { context: &context, graph };
        recorded?;
        ended?;
        let mut executable = ptr::null_mut();
        // SAFETY: the graph is alive and the pointer valid for a write.
        let make = || unsafe { sys::cuGraphInstantiateWithFlags(&mut executable, graph.graph, 0) };
        context.call("cuGraphInstantiate", make)?;
        drop(graph);
        Ok(Graph { context, executable })
    }

    /// Puts the whole sequence in `stream`.
    ///
    /// # Errors
    /// What the driver says; [`lbm_core::error::DeviceError::Lost`] if earlier work failed.
    ///
    /// # Safety
    /// All that was recorded must still be alive until the sequence has run: kernels' modules, buffers; and the
    /// promises of [`super::Kernel::launch`] hold for every launch in it.
    pub unsafe fn launch(&self, stream: &Stream) -> Result<(), Error> {
        // SAFETY: graph and stream are alive, and what they use is, as the caller promises.
        let launch = || unsafe { sys::cuGraphLaunch(self.executable, stream.handle) };
        Ok(self.context.call("cuGraphLaunch", launch)?)
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // Launches that still run end first.
        let _ = self.context.synchronize();
        // SAFETY: made in `capture`, destroyed once.
        let _ = self.context.result(|| unsafe { sys::cuGraphExecDestroy(self.executable) });
    }
}

/// The graph as it was recorded, destroyed once it has been made executable; null if the capture failed.
struct Recorded<'a> {
    context: &'a Context,
    graph: CUgraph,
}

impl Drop for Recorded<'_> {
    fn drop(&mut self) {
        if !self.graph.is_null() {
            // SAFETY: made by the end of a capture, destroyed once.
            let _ = self.context.result(|| unsafe { sys::cuGraphDestroy(self.graph) });
        }
    }
}
