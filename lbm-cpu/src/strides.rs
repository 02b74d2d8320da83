//! Where a layout puts the values of storage nodes, in closed form where it has one.

use lbm_core::facts::Places;

use crate::run::{Apart, MOST_MOMENTS};

/// How a layout's clusters follow each other.
enum Clusters {
    /// Evenly: so many values from one to the next, whichever the slot.
    Even {
        /// The nodes of a cluster as a power of two, if they are one.
        shift: Option<u32>,
        /// Values from one to the next.
        between: usize,
    },
    /// As the layout says, cluster by cluster.
    Asked,
}

/// The same in narrow numbers, where nodes of a cluster lie side by side.
#[derive(Clone, Copy)]
pub(crate) struct Narrow {
    /// The nodes of a cluster as a power of two, and those of one but the last.
    pub(crate) shift: u32,
    pub(crate) within: u32,
    pub(crate) between: u32,
}

impl Narrow {
    /// The offset of the value of a storage node whose slot has this offset at node 0.
    #[inline(always)]
    pub(crate) fn place(self, slot: u32, node: u32) -> u32 {
        slot + (node >> self.shift) * self.between + (node & self.within)
    }

    /// The same of any number, of a node or not; and how many nodes from it on lie evenly.
    #[inline(always)]
    pub(crate) fn find(self, slot: u32, node: u32) -> (u32, u32) {
        let (clusters, within) = (node >> self.shift, node & self.within);
        (
            clusters.wrapping_mul(self.between).wrapping_add(slot).wrapping_add(within),
            self.within + 1 - within,
        )
    }
}

/// The offsets of a copy's values.
pub(crate) struct Strides {
    /// Of each slot of node 0.
    slots: Vec<usize>,
    /// Between neighbours in a cluster.
    lane: usize,
    /// Nodes of a cluster.
    cluster: usize,
    clusters: Clusters,
}

impl Strides {
    /// Those of a copy with so many slots.
    pub(crate) fn of(places: &Places<usize>, slots: usize) -> Strides {
        let (lane, cluster) = (places.stride(), places.cluster());
        let first: Vec<_> = (0..slots).map(|slot| places.offset(slot, 0)).collect();
        let clusters = match cluster {
            usize::MAX => Clusters::Even { shift: Some(usize::BITS - 1), between: 0 },
            // Refused as soon as all places are checked.
            0 => Clusters::Asked,
            _ => even_clusters(places, &first, cluster),
        };
        Strides { slots: first, lane, cluster, clusters }
    }

    /// Values from a node to the next in its cluster.
    pub(crate) fn lane(&self) -> usize {
        self.lane
    }

    /// Whether the slots of a node lie equally far from each other, whichever the node.
    pub(crate) fn are_even(&self) -> bool {
        matches!(self.clusters, Clusters::Even { .. })
    }

    /// Whether so many nodes from each multiple of that on lie side by side, in places that are multiples as well.
    pub(crate) fn lie_in(&self, nodes: usize) -> bool {
        let even = |value: usize| value.is_multiple_of(nodes);
        let clusters = match self.clusters {
            Clusters::Even { between, .. } => {
                (self.cluster == usize::MAX || even(self.cluster)) && even(between)
            }
            Clusters::Asked => false,
        };
        self.lane == 1 && clusters && self.slots.iter().all(|&first| even(first))
    }

    /// Whether clusters are made of whole groups of so many nodes.
    pub(crate) fn clusters_hold(&self, group: usize) -> bool {
        self.cluster == usize::MAX || self.cluster.is_multiple_of(group)
    }

    /// The same in narrow numbers, if there are any: nodes of a cluster lie side by side, and clusters have a power of two.
    pub(crate) fn narrow(&self, values: usize) -> Option<Narrow> {
        if values > i32::MAX as usize || self.lane != 1 {
            return None;
        }
        match self.clusters {
            _ if self.cluster == usize::MAX => Some(Narrow { shift: 31, within: u32::MAX >> 1, between: 0 }),
            Clusters::Even { shift: Some(shift), between } => {
                Some(Narrow { shift, within: (1 << shift) - 1, between: between as u32 })
            }
            _ => None,
        }
    }

    /// The offset of a slot of node 0.
    pub(crate) fn slot(&self, slot: usize) -> usize {
        self.slots[slot]
    }

    /// Values from a cluster to the next, if there are several that follow each other evenly.
    pub(crate) fn between(&self) -> Option<usize> {
        match self.clusters {
            Clusters::Even { between, .. } if self.cluster != usize::MAX => Some(between),
            _ => None,
        }
    }

    /// By how many values the places of all nodes move on with so many nodes (backwards as two's complement), if they all move alike.
    #[inline(always)]
    pub(crate) fn moved_by(&self, nodes: usize) -> Option<usize> {
        match self.clusters {
            _ if self.cluster == usize::MAX => Some(nodes.wrapping_mul(self.lane)),
            Clusters::Even { shift: Some(shift), between } if nodes & (self.cluster - 1) == 0 => {
                let clusters = (nodes as isize) >> shift;
                Some((clusters as usize).wrapping_mul(between))
            }
            _ => None,
        }
    }

    /// How many nodes from this one on lie evenly.
    #[inline(always)]
    pub(crate) fn even_from(&self, node: usize) -> usize {
        match self.clusters {
            _ if self.cluster == usize::MAX => usize::MAX,
            Clusters::Even { shift: Some(shift), .. } => self.cluster - (node & ((1 << shift) - 1)),
            _ => self.cluster - node % self.cluster,
        }
    }

    /// By how many values a node lies behind node 0, where clusters follow each other evenly.
    #[inline(always)]
    pub(crate) fn begin(&self, node: usize) -> usize {
        match self.clusters {
            Clusters::Even { shift: Some(shift), between } => {
                (node >> shift) * between + (node & ((1 << shift) - 1)) * self.lane
            }
            Clusters::Even { between, .. } => node / self.cluster * between + node % self.cluster * self.lane,
            Clusters::Asked => 0,
        }
    }

    /// How many bytes behind the first of these slots each lies, where that is the same for all nodes.
    pub(crate) fn apart(&self, slots: impl Iterator<Item = usize>, bytes: usize) -> Apart {
        let mut apart = [0; MOST_MOMENTS];
        let mut first = None;
        for (apart, slot) in apart.iter_mut().zip(slots) {
            let first = *first.get_or_insert(self.slots[slot]);
            *apart = self.slots[slot].wrapping_sub(first).wrapping_mul(bytes);
        }
        apart
    }

    /// The offset of a slot of a storage node, and how many nodes from it on lie evenly.
    #[inline(always)]
    pub(crate) fn find(&self, places: &Places<usize>, slot: usize, node: usize) -> (usize, usize) {
        let offset = match self.clusters {
            Clusters::Even { .. } => self.slots[slot] + self.begin(node),
            Clusters::Asked => places.offset(slot, node),
        };
        (offset, self.even_from(node))
    }
}

/// How clusters of so many nodes follow each other: looked at one by one.
fn even_clusters(places: &Places<usize>, first: &[usize], cluster: usize) -> Clusters {
    let starts = (0..places.nodes()).step_by(cluster);
    let between = if places.nodes() > cluster { places.offset(0, cluster).wrapping_sub(first[0]) } else { 0 };
    let expected = |slot: usize, n: usize| first[slot].wrapping_add(n.wrapping_mul(between));
    let even = starts
        .enumerate()
        .all(|(n, node)| (0..first.len()).all(|slot| places.offset(slot, node) == expected(slot, n)));
    let shift = cluster.is_power_of_two().then(|| cluster.trailing_zeros());
    if even { Clusters::Even { shift, between } } else { Clusters::Asked }
}
