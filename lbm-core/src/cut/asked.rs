//! Numbers that each part is asked for, as all processes know them then.

use super::agreed::on_all_ranks;
use super::held::Held;
use super::whole::{Known, share_asked};
use crate::engine::Engine;
use crate::error::Error;

/// Said in place of whether a part has looked.
const FAILED: u8 = 2;

impl<'a> Known<'a> {
    /// What is asked of each part, with room for numbers of its own.
    ///
    /// # Errors
    /// What one process fails at ends all; those of the transport.
    fn of_each<T>(
        &self,
        room: impl Fn(&'a Held) -> (T, Vec<f64>),
        ask: impl Fn(&dyn Engine, &T, &mut [f64]) -> Result<(), Error>,
    ) -> Result<Vec<(T, Vec<f64>)>, Error> {
        let of_part = |held: &'a Held| {
            let (what, mut values) = room(held);
            if !values.is_empty() {
                let engine = held.engine.as_deref();
                let asked = engine.map_or(Ok(()), |engine| ask(engine, &what, &mut values));
                share_asked(self.transport, held.rank, asked, &mut values)?;
            }
            Ok((what, values))
        };
        self.parts.iter().map(of_part).collect()
    }

    /// Copies out the populations of some nodes of the whole box, so many a node.
    pub(super) fn populations_at(&self, count: usize, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        let room = |held: &'a Held| {
            let own = nodes.iter().enumerate().filter_map(|(n, &node)| Some((n, held.part.own_node(node)?)));
            let (places, here): (Vec<usize>, Vec<usize>) = own.unzip();
            let values = vec![0.0; count * here.len()];
            ((places, here), values)
        };
        let found = self.of_each(room, |engine, (_, here), values| engine.populations_at(here, values))?;
        for ((places, _), values) in found {
            for (line, values) in out.chunks_mut(nodes.len().max(1)).zip(values.chunks(places.len().max(1))) {
                places.iter().zip(values).for_each(|(&place, &value)| line[place] = value);
            }
        }
        Ok(())
    }

    /// So many numbers that rules remember in the whole box.
    pub(super) fn memory(&self, count: usize) -> Result<Vec<f64>, Error> {
        let mut all = vec![0.0; count];
        let found = self.of_each(
            |held| (&held.memory, vec![0.0; held.memory.len()]),
            |engine, _, values| {
                values.copy_from_slice(&engine.memory()?);
                Ok(())
            },
        )?;
        for (places, own) in found {
            let places = places.iter().zip(own);
            places.filter(|(place, _)| place.is_own).for_each(|(place, value)| all[place.of_whole] = value);
        }
        Ok(all)
    }

    /// What the engines say of their own nodes, part after part; none if one of them does not know which these are.
    pub(super) fn looks<const N: usize>(
        &self,
        look: impl Fn(&dyn Engine) -> Result<Option<[u64; N]>, Error>,
    ) -> Result<Option<Vec<[u64; N]>>, Error> {
        let of_part = |held: &Held| match &held.engine {
            Some(engine) if held.is_looked_at => look(&**engine),
            _ => Ok(None),
        };
        self.shared_words(self.parts.iter().map(of_part).collect())
    }

    /// What each part found, of those of this process; none if one of them did not look.
    pub(super) fn shared_words<const N: usize>(
        &self,
        found: Result<Vec<Option<[u64; N]>>, Error>,
    ) -> Result<Option<Vec<[u64; N]>>, Error> {
        let mut all = Vec::with_capacity(self.parts.len());
        for (number, held) in self.parts.iter().enumerate() {
            let (said, own) = match &found {
                Ok(found) => (u8::from(found[number].is_some()), found[number].unwrap_or([0; N])),
                Err(_) => (FAILED, [0; N]),
            };
            let mut bytes = vec![said];
            bytes.extend(own.iter().flat_map(|word| word.to_le_bytes()));
            self.transport.share(held.rank, &mut bytes)?;
            if bytes[0] == FAILED {
                return on_all_ranks(self.transport, found.map(|_| None));
            }
            let mut words = bytes[1..].as_chunks().0.iter().map(|&word| u64::from_le_bytes(word));
            let words = std::array::from_fn(|_| words.next().unwrap_or_default());
            all.push((bytes[0] == 1).then_some(words));
        }
        Ok(all.into_iter().collect())
    }
}
