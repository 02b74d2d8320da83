//! Streams (queues of work in order), events (marks in them), and graphs (many launches as one, recorded from a stream).

use cudarc::driver::result::{event, graph, stream};
use cudarc::driver::sys::{
    CUevent, CUevent_flags, CUevent_wait_flags, CUgraphExec, CUgraphInstantiate_flags, CUstream,
    CUstreamCaptureMode,
};
use lbm_core::Error;

use super::context::{Context, Owned};
use super::{Device, driver};
use crate::machine::Mark;

/// A queue of work that runs in order. Streams do not wait for each other, unless asked to with [`Stream::wait_for`].
pub struct Stream(pub(super) Owned<CUstream>);

impl Stream {
    /// A new queue.
    pub fn new(device: &Device) -> Result<Stream, Error> {
        let context = &device.context;
        let handle = context.call("cuStreamCreate", || stream::create(stream::StreamKind::NonBlocking))?;
        // Work still in it runs to its end.
        Ok(Stream(Owned::new(context, handle, stream::destroy)))
    }

    /// A new queue of which blocks begin before those of other queues that wait, where the device knows such.
    pub fn first(device: &Device) -> Result<Stream, Error> {
        let context = &device.context;
        let (_, first) = context.call("cuCtxGetStreamPriorityRange", stream::get_priority_range)?;
        let make = || stream::create_with_priority(stream::StreamKind::NonBlocking, first);
        let handle = context.call("cuStreamCreateWithPriority", make)?;
        Ok(Stream(Owned::new(context, handle, stream::destroy)))
    }

    /// Waits on the host until all work in the queue is done.
    pub fn synchronize(&self) -> Result<(), Error> {
        let Owned { context, handle, .. } = &self.0;
        // SAFETY: the stream is alive.
        Ok(context.call("cuStreamSynchronize", || unsafe { stream::synchronize(*handle) })?)
    }

    /// Later work in this queue waits for `event`, perhaps of another device; the host does not.
    pub fn wait_for(&self, event: &Event) -> Result<(), Error> {
        let Owned { context, handle, .. } = &self.0;
        let flags = CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: stream and event are alive.
        let wait = || unsafe { stream::wait_event(*handle, event.0.handle, flags) };
        Ok(context.call("cuStreamWaitEvent", wait)?)
    }
}

/// A mark in a stream. It is reached once all work that was in the stream before it is done.
pub struct Event(Owned<CUevent>);

impl Event {
    /// A mark at the end of `stream`.
    pub fn mark(stream: &Stream) -> Result<Event, Error> {
        Event::with(stream, CUevent_flags::CU_EVENT_DEFAULT)
    }

    /// The same without its time, which costs queues that wait for it less.
    pub fn untimed(stream: &Stream) -> Result<Event, Error> {
        Event::with(stream, CUevent_flags::CU_EVENT_DISABLE_TIMING)
    }

    fn with(stream: &Stream, flags: CUevent_flags) -> Result<Event, Error> {
        let context = &stream.0.context;
        let made = context.call("cuEventCreate", || event::create(flags))?;
        // A stream that still holds it keeps what it needs.
        let mut event = Event(Owned::new(context, made, event::destroy));
        event.again(stream)?;
        Ok(event)
    }

    /// Moves the mark to the end of `stream`, of the same device. Who waits for it already waits for where it was.
    pub fn again(&mut self, stream: &Stream) -> Result<(), Error> {
        let Owned { context, handle, .. } = &self.0;
        // SAFETY: event and stream are alive.
        Ok(context.call("cuEventRecord", || unsafe { event::record(*handle, stream.0.handle) })?)
    }

    /// Waits on the host until the mark is reached.
    pub fn synchronize(&self) -> Result<(), Error> {
        // SAFETY: the event is alive.
        let wait = || unsafe { event::synchronize(self.0.handle) };
        Ok(self.0.context.call("cuEventSynchronize", wait)?)
    }
}

impl Mark for Event {
    /// To about half a microsecond.
    fn seconds_since(&self, start: &Event) -> Result<f64, Error> {
        start.synchronize()?;
        self.synchronize()?;
        // SAFETY: both events are alive.
        let ask = || unsafe { driver::event_elapsed_time(start.0.handle, self.0.handle) };
        Ok(f64::from(self.0.context.call("cuEventElapsedTime", ask)?) * 1e-3)
    }
}

/// A recorded sequence of launches, ready to be launched as a whole.
pub struct Graph(Owned<CUgraphExec>);

impl Graph {
    /// Records what `record` puts in `stream` instead of running it. In `record`, only put launches in that stream: allocating,
    /// freeing, waiting and copies to the host are not possible there.
    pub fn capture(stream: &Stream, record: impl FnOnce() -> Result<(), Error>) -> Result<Graph, Error> {
        let Owned { context, handle, .. } = &stream.0;
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        let (recorded, ended) = Context::recording(|| {
            // SAFETY: the stream is alive.
            context.call("cuStreamBeginCapture", || unsafe { stream::begin_capture(*handle, mode) })?;
            let recorded = record();
            // SAFETY: the stream is alive. The capture ends whatever `record` gave.
            let ended = context.call("cuStreamEndCapture", || unsafe { stream::end_capture(*handle) });
            Ok::<_, Error>((recorded, ended))
        })?;
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
