use lbm::prelude::*;

boundary! {
    pub Copied on_node {
        for i in missing {
            f[i] = f[i];
        }
    }
}

boundary! {
    pub Early on_node {
        for i in missing {
            f[i] = sent[i];
        }
    }
}

fn main() {}
