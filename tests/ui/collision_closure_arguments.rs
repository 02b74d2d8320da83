use lbm::prelude::*;

collision! {
    pub Bent {
        let even = |a, i| (a[i] + a[opposite[i]]) / 2;
        for i in directions {
            f[i] = even(i);
        }
    }
}

fn main() {}
