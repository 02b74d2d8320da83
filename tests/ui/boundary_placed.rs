use lbm::prelude::*;

boundary! {
    pub Nowhere(velocity[dimensions]) {
        for i in missing {
            f[i] = f[opposite[i]];
        }
    }
}

boundary! {
    pub Half half_way on_node {
        for i in missing {
            f[i] = f[opposite[i]];
        }
    }
}

boundary! {
    pub Vector(velocity[moments]) on_node {
        for i in missing {
            f[i] = f[opposite[i]];
        }
    }
}

fn main() {}
