//! Decode and encode responses with the models of openapi-generator (rust).
#![allow(dead_code, unused_imports)]

mod models;

use serde::{de::DeserializeOwned, Serialize};
use serde_json::Value;

/// Return the value after decoding and encoding.
fn check<Model: DeserializeOwned + Serialize>(value: Value) -> Value {
    let model: Model = serde_json::from_value(value).expect("a response is decoded");
    serde_json::to_value(&model).expect("a model is encoded")
}

/// Numbers are alike if they have the same value: 0 and 0.0.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).map_or(false, |b| alike(a, b)))
        }
        _ => one == other,
    }
}

fn decoded(name: &str, value: Value) -> Value {
    match name {
        // CASES
        _ => panic!("no response is a {name}"),
    }
}

fn main() {
    let file = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(file).expect("a readable file");
    let responses: Vec<(String, Value)> = serde_json::from_str(&text).expect("pairs");
    let (mut same, mut grown) = (0, 0);
    for (name, mut value) in responses {
        let back = decoded(&name, value.clone());
        let added = value.as_object_mut().and_then(|object| object.remove("added"));
        assert!(alike(&value, &back), "{name} differs");
        if added.is_some() {
            grown += 1;
        } else {
            same += 1;
        }
    }
    println!("{same} alike, {grown} ignore members");
}
