// every form
db.getCollection("a b").aggregate([
  {$match: {'d': {$gte: ISODate("2015-04-11T18:32:00.5+05:30"), $lt: new Date(-5)}, "r": /^a[/]\/b$/ix, $or: [{n: 0xFF}, {n: -1_000}]}}, /* two */
  {$set: {a: {b: [1, 2.5e-3, .5, -Infinity, NaN, undefined, null, true]}, 7: `x
y`, o: ObjectId("5f43a1b2c3d4e5f601234567"), l: NumberLong("-9223372036854775808"), i: NumberInt(5)}},
  {$set: {d: NumberDecimal("1.10"), u: UUID("01234567-89ab-cdef-0123-456789abcdef"), b: BinData(5, "AQI="), h: HexData(0, '0102'), k: [MinKey, MaxKey()]}},
  {$set: {t: Timestamp({t: 1, i: 2}), c: Code("f", {a: 1}), s: BSONSymbol("s"), ref: DBRef("c", 1), re: RegExp("a", "i"), w: 1000 * 60 / (7 - 2) % 3 + +4}},
  {$set: {o: {$oid: "5f43a1b2c3d4e5f601234567"}, d: {$date: {$numberLong: "-5"}}, b: {$binary: {base64: "AQI=", subType: "05"}}, p: {$dbPointer: {$ref: "c", $id: {$oid: "5f43a1b2c3d4e5f601234567"}}}}},
  {$set: {r: {$regularExpression: {pattern: "a", options: "i"}}, t: {$timestamp: {t: 1, i: 2}}, e: '\x41\u00e9\u{1F600}\ud83d\ude00\
', c: {$code: "f", $scope: {}}, y: {$type: "string"}, z: "a" + 'b'}},
], {allowDiskUse: true});
