// Reports how many of MongoDB's published tests of aggregations give the published result in process:
//    node tools/jstests.js FOLDER [MTSQL] [FILE…]
// FOLDER has the folder jstests of a version of github.com/mongodb/mongo, which is not part of this project. The files
// of jstests/aggregation run in a shell of the few functions below. A collection is a file of extended JSON, and each
// pipeline is one `mtsql --aggregate`. Some files need features that are missing here: explain, several servers,
// parameters of a server, views, … They are left out, and the reason is counted. VERBOSE=1 prints the files that are left out.
"use strict";
const fs = require("fs"), os = require("os"), path = require("path"), vm = require("vm"), {spawnSync} = require("child_process");

const root = process.argv[2], program = path.resolve(process.argv[3] || "build/mtsql"), only = process.argv.slice(4);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "jstests"));

class LeftOut extends Error {}
const leaveOut = why => { throw new LeftOut(why); };

// ---- values ----

class Typed {  // a value that JavaScript lacks; json: the same as extended JSON
    constructor(name, json) { this.kind = name; this.json = json; }
    tojson() { return `${this.kind}(${JSON.stringify(this.json)})`; }
    toString() { return this.tojson(); }
    tojsonObject() { return this; }
}
class NumberLong extends Typed {
    constructor(v) { super("NumberLong", {$numberLong: BigInt.asIntN(64, BigInt(typeof v === "string" ? v : Math.trunc(Number(v || 0)))).toString()}); }
    valueOf() { return Number(this.json.$numberLong); }
    toNumber() { return this.valueOf(); }
}
class NumberInt extends Typed {
    constructor(v) { super("NumberInt", {$numberInt: String(Number(v || 0) | 0)}); }
    valueOf() { return Number(this.json.$numberInt); }
    toNumber() { return this.valueOf(); }
    tojson() { return String(this.valueOf()); }  // a shell shows int and double alike
}
class NumberDecimal extends Typed {
    constructor(v) { super("NumberDecimal", {$numberDecimal: typeof v === "number" && !Number.isInteger(v) ? v.toPrecision(15) : String(v === undefined ? 0 : v)}); }
    valueOf() { return Number(this.json.$numberDecimal); }
}
class ObjectId extends Typed {
    constructor(v) { super("ObjectId", {$oid: v || ObjectId.next()}); this.str = this.json.$oid; }
    static next() { return "65e1" + (ObjectId.count = (ObjectId.count || 0) + 1).toString(16).padStart(20, "0"); }
    equals(other) { return this.str === other.str; }
    getTimestamp() { return new Date(parseInt(this.str.slice(0, 8), 16) * 1000); }
}
class BinData extends Typed {
    constructor(sub, text) { super("BinData", {$binary: {base64: text, subType: sub.toString(16).padStart(2, "0")}}); }
    subtype() { return parseInt(this.json.$binary.subType, 16); }
    base64() { return this.json.$binary.base64; }
}
class Timestamp extends Typed {
    constructor(t, i) { super("Timestamp", {$timestamp: {t: Math.floor(t || 0), i: i || 0}}); this.t = t || 0; this.i = i || 0; }
}
const MinKey = new Typed("MinKey", {$minKey: 1}), MaxKey = new Typed("MaxKey", {$maxKey: 1});
const callable = C => new Proxy(C, {apply: (target, self, args) => new C(...args)});  // ObjectId () without `new`
const uuid = text => new BinData(4, Buffer.from((text || "00000000-0000-4000-8000-000000000000").replace(/-/g, ""), "hex").toString("base64"));

const kind = v => Object.prototype.toString.call(v).slice(8, -1);  // values come from another context

function toEjson(v) {
    if (v === undefined) return {$undefined: true};
    if (v === null || typeof v === "string" || typeof v === "boolean") return v;
    if (typeof v === "number") return {$numberDouble: Object.is(v, -0) ? "-0.0" : String(v)};
    if (typeof v === "function") return {$code: v.toString()};
    if (v instanceof Typed) return v.json;
    if (kind(v) === "Date") return {$date: {$numberLong: String(v.getTime())}};
    if (kind(v) === "RegExp") return {$regularExpression: {pattern: v.source === "(?:)" ? "" : v.source, options: v.flags.replace(/[^imsx]/g, "")}};
    if (Array.isArray(v)) return v.map(toEjson);
    return Object.fromEntries(Object.entries(v).filter(([k, x]) => typeof x !== "function" || k !== "toString").map(([k, x]) => [k, toEjson(x)]));
}

const readers = {
    $numberInt: s => Number(s), $numberDouble: s => Number(s), $numberLong: s => new NumberLong(s), $numberDecimal: s => new NumberDecimal(s),
    $oid: s => new ObjectId(s), $date: d => new inside.Date(Number(d.$numberLong)), $binary: b => new BinData(parseInt(b.subType, 16), b.base64),
    $timestamp: t => new Timestamp(t.t, t.i), $minKey: () => MinKey, $maxKey: () => MaxKey, $undefined: () => undefined,
    $regularExpression: r => new inside.RegExp(r.pattern, r.options.replace(/[^ims]/g, "")), $code: s => new Typed("Code", {$code: s}), $symbol: s => s,
};
let inside;  // the global object of the file that runs

function fromEjson(v) {
    if (v === null || typeof v !== "object") return v;
    if (Array.isArray(v)) return inside.Array.from(v.map(fromEjson));
    const keys = Object.keys(v);
    if (keys.length && readers[keys[0]]) return readers[keys[0]](v[keys[0]]);
    const to = new inside.Object();
    for (const k of keys) to[k] = fromEjson(v[k]);
    return to;
}

function tojson(v) {
    if (v === undefined) return "undefined";
    if (typeof v === "function") return v.toString();
    if (typeof v === "number") return Object.is(v, -0) ? "0" : String(v);
    if (v === null || typeof v !== "object") return JSON.stringify(v);
    if (v instanceof Typed) return v.tojson();
    if (kind(v) === "Date") return v.tojson();
    if (kind(v) === "RegExp") return v.toString();
    if (Array.isArray(v)) return "[" + v.map(tojson).join(", ") + "]";
    if (kind(v) === "Error") return v.toString();
    return "{" + Object.entries(v).map(([k, x]) => JSON.stringify(k) + ": " + tojson(x)).join(", ") + "}";
}
const sorted = v => v !== null && typeof v === "object" && !(v instanceof Typed) && (Array.isArray(v) || kind(v) === "Object")
    ? (Array.isArray(v) ? v.map(sorted) : Object.fromEntries(Object.keys(v).sort().map(k => [k, sorted(v[k])]))) : v;

function same(a, b) {
    const number = v => typeof v === "number" || v instanceof NumberLong || v instanceof NumberInt;
    if (number(a) && number(b)) return Number(a) === Number(b) || (Number.isNaN(Number(a)) && Number.isNaN(Number(b)));
    return tojson(a) === tojson(b);
}

// ---- pipelines ----

const refused = /^.*MongoDB reports this error as (\d+)(?: \((\w+)\))?/m;

class Failed extends Error {
    constructor(code, name, message) { super(`command failed: ${message}`); this.code = code; this.codeName = name; this.errmsg = message; }
}

function run(folder, coll, pipeline, options) {
    const text = JSON.stringify(toEjson(pipeline)) + ", " + JSON.stringify(toEjson(options));
    if (text.length > 120000) leaveOut("a pipeline longer than an argument may be");
    const stages = Array.isArray(pipeline) ? pipeline : [pipeline];
    const r = spawnSync(program, ["-X", "--aggregate", coll, text, folder], {encoding: "utf8", maxBuffer: 1 << 30});
    if (r.status === 0) return r.stdout.split("\n").slice(0, -1).map(line => fromEjson(JSON.parse(line)));
    if (/does not exist/.test(r.stderr) && !fs.existsSync(path.join(folder, coll + ".jsonl"))) return [];
    if (/read-only/.test(r.stderr) || JSON.stringify(stages.map(s => Object.keys(s || {}))).match(/\$(out|merge)"/)) leaveOut("$out and $merge");
    const m = refused.exec(r.stderr), message = r.stderr.split("\n")[0];
    if (/is not supported:/.test(message)) leaveOut(message.replace(/^.*ERROR: */, ""));
    throw new Failed(m ? Number(m[1]) : 0, m && m[2], message);
}

const cursorOf = docs => {
    let at = 0;
    const c = {
        toArray: () => { const rest = inside.Array.from(docs.slice(at)); at = docs.length; return rest; }, itcount: () => docs.length - at, hasNext: () => at < docs.length,
        next: () => docs[at++], forEach: f => docs.forEach(f), map: f => inside.Array.from(docs.map(f)), length: () => docs.length, count: () => docs.length, size: () => docs.length,
        batchSize: () => c, explain: () => leaveOut("explain"), close: () => {}, isClosed: () => true, isExhausted: () => true, objsLeftInBatch: () => docs.length - at,
        [Symbol.iterator]: () => docs[Symbol.iterator](), _batch: docs,
    };
    docs.forEach((d, i) => { c[i] = d; });
    return c;
};

function makeCollection(db, name) {
    const file = () => path.join(db.folder, name + ".jsonl");
    const docs = () => db.data.get(name) || (db.data.set(name, []), db.data.get(name));
    const write = () => { db.data.set(name, docs()); fs.writeFileSync(file(), docs().map(d => JSON.stringify(toEjson(d)) + "\n").join("")); };
    const ok = n => ({ok: 1, nInserted: n, nRemoved: n, hasWriteError: () => false, insertedCount: n, acknowledged: true, insertedIds: [], deletedCount: n});
    const copy = d => fromEjson(JSON.parse(JSON.stringify(toEjson(d)), (k, v) => v));
    const typed = d => {  // keeps NumberInt, which copies of results lose
        const to = new inside.Object();
        if (!("_id" in d)) to._id = new ObjectId();
        return Object.assign(to, d);
    };
    const add = d => {
        const own = typed(d);
        if (docs().some(e => "_id" in d && same(e._id, own._id))) throw new Failed(11000, "DuplicateKey", "E11000 duplicate key");
        docs().push(own);
    };
    const query = (q, more) => run(db.folder, name, [{$match: q || {}}, ...more], {});
    function find(q, projection) {
        const more = [];
        const c = {};
        const result = () => cursorOf(query(q, [...more, ...(projection && Object.keys(projection).length ? [{$project: projection}] : [])]));
        for (const [method, stage] of [["sort", "$sort"], ["limit", "$limit"], ["skip", "$skip"]])
            c[method] = v => { if (!(method === "limit" && !v)) more.push({[stage]: v}); return c; };
        for (const method of ["toArray", "itcount", "count", "size", "forEach", "map", "length", "hasNext", "next"])
            c[method] = (...args) => { const r = c.cursor && ["next", "hasNext"].includes(method) ? c.cursor : (c.cursor = result()); return r[method](...args); };
        for (const method of ["hint", "batchSize", "collation", "showDiskLoc", "addOption", "readConcern"]) c[method] = () => method === "hint" || method === "batchSize" ? c : leaveOut(`find().${method}`);
        c.explain = () => leaveOut("explain");
        c[Symbol.iterator] = () => result()[Symbol.iterator]();
        return c;
    }
    const remove = (q, one) => {
        const gone = query(q, one ? [{$limit: 1}] : []).map(d => tojson(d._id));
        db.data.set(name, docs().filter(d => !gone.includes(tojson(d._id))));
        write();
        return ok(gone.length);
    };
    const insert = d => { (Array.isArray(d) ? d : [d]).forEach(add); write(); return ok(Array.isArray(d) ? d.length : 1); };
    const bulk = () => { const all = []; const b = {insert: d => all.push(d), execute: () => insert(all), find: () => leaveOut("updates")}; return b; };
    const self = {
        insert, insertOne: insert, insertMany: insert, find, remove, deleteMany: q => remove(q), deleteOne: q => remove(q, true),
        save: d => { if ("_id" in d) db.data.set(name, docs().filter(e => !same(e._id, d._id))); return insert(d); },
        findOne: (q, projection) => { const c = find(q, projection); c.limit(1); return c.toArray()[0] || null; },
        drop: () => { db.data.delete(name); fs.rmSync(file(), {force: true}); return true; },
        aggregate: (...args) => {
            let stages = args, options = {};
            if (Array.isArray(args[0])) { stages = args[0]; options = args[1] || {}; }
            return cursorOf(self.command(stages, options));
        },
        command: (stages, options) => {
            if (options.explain) leaveOut("explain");
            const {cursor, allowDiskUse, collation, hint, let: vars, comment, maxTimeMS, ...rest} = options;
            const other = Object.keys(rest).filter(k => !["bypassDocumentValidation", "readConcern", "writeConcern", "$db", "lsid", "explain", "$queryOptions"].includes(k));
            if (other.length) throw new Failed(40415, "", `unknown option ${other[0]}`);
            return run(db.folder, name, stages, {...(collation && {collation}), ...(vars && {let: vars}), ...(allowDiskUse !== undefined && {allowDiskUse})});
        },
        count: q => query(q, []).length, countDocuments: q => query(q, []).length, distinct: f => leaveOut("distinct"),
        getName: () => name, getFullName: () => `${db.name}.${name}`, getDB: () => db.proxy, getMongo: () => db.mongo, exists: () => db.data.has(name),
        ensureIndex: (key, o) => index(key, o), createIndex: (key, o) => index(key, o), createIndexes: keys => keys.map(k => index(k)), dropIndex: () => ({ok: 1}), dropIndexes: () => ({ok: 1}),
        initializeUnorderedBulkOp: bulk, initializeOrderedBulkOp: bulk, toString: () => `${db.name}.${name}`, explain: () => leaveOut("explain"), getIndexes: () => leaveOut("indexes"),
        update: () => leaveOut("updates"), updateOne: () => leaveOut("updates"), updateMany: () => leaveOut("updates"), replaceOne: () => leaveOut("updates"), mapReduce: () => leaveOut("mapReduce"),
        stats: () => leaveOut("stats"), watch: () => leaveOut("watch"), getPlanCache: () => leaveOut("plan cache"), group: () => leaveOut("group"), renameCollection: () => leaveOut("renameCollection"),
        runCommand: (c, more) => db.proxy.runCommand(typeof c === "string" ? {[c]: name, ...more} : c),
    };
    const index = (key, o) => (Object.values(key).some(v => typeof v === "string") ? leaveOut("indexes of text, places or hashes") : {ok: 1, numIndexesBefore: 1, numIndexesAfter: 2});
    return new Proxy(self, {get: (t, k) => (k in t || typeof k === "symbol" ? t[k] : db.proxy[`${name}.${k}`])});
}

function makeDb(name, mongo) {
    const folder = path.join(scratch, name);
    fs.rmSync(folder, {recursive: true, force: true});
    fs.mkdirSync(folder);
    const db = {name, folder, data: new Map(), mongo}, colls = new Map();
    const coll = c => colls.get(c) || (colls.set(c, makeCollection(db, c)), colls.get(c));
    const commands = {
        aggregate: c => {
            if (c.cursor !== undefined && (c.cursor === null || kind(c.cursor) !== "Object")) throw new Failed(14, "TypeMismatch", "'cursor' must be an object");
            if (!c.cursor && !c.explain) throw new Failed(9, "FailedToParse", "The 'cursor' option is required");
            if (typeof c.aggregate !== "string" || !Array.isArray(c.pipeline)) throw new Failed(14, "TypeMismatch", "aggregate needs a collection and a pipeline");
            const {aggregate, pipeline, ...options} = c;
            return {cursor: {firstBatch: coll(aggregate).command(pipeline, options), id: new NumberLong(0), ns: `${name}.${aggregate}`}};
        },
        insert: c => (coll(c.insert).insert(c.documents), {n: c.documents.length}),
        drop: c => (coll(c.drop).drop(), {}), create: c => (Object.keys(c).length > 1 ? leaveOut("options of collections, and views") : {}),
        ping: () => ({}), isMaster: () => ({ismaster: true}), hello: () => ({isWritablePrimary: true}),
    };
    const self = {
        getName: () => name, toString: () => name, getCollection: coll, getSiblingDB: other => mongo.getDB(other), getMongo: () => mongo, dropDatabase: () => { for (const c of colls.values()) c.drop(); return {ok: 1}; },
        runCommand: c => {
            const what = Object.keys(c)[0];
            if (!commands[what]) leaveOut(`the command ${what}`);
            try {
                return {ok: 1, ...commands[what](c)};
            } catch (e) {
                if (!(e instanceof Failed)) throw e;
                return {ok: 0, code: e.code, codeName: e.codeName, errmsg: e.errmsg};
            }
        },
        adminCommand: c => self.runCommand(c), createCollection: (c, o) => (o && Object.keys(o).length ? leaveOut("options of collections, and views") : {ok: 1}), createView: () => leaveOut("options of collections, and views"),
        aggregate: (stages, o) => cursorOf(run(folder, "", stages, {})),
    };
    for (const what of ["serverStatus", "currentOp", "setProfilingLevel", "getCollectionInfos", "getCollectionNames", "hostInfo", "fsyncLock", "eval", "version", "setLogLevel", "getProfilingStatus", "serverBuildInfo"]) self[what] = () => leaveOut(`db.${what}`);
    db.proxy = new Proxy(self, {get: (t, k) => (k in t || typeof k === "symbol" ? t[k] : coll(k))});
    return db.proxy;
}

// ---- assert ----

function makeAssert(count) {
    const text = m => (typeof m === "function" ? m() : m === undefined ? "" : typeof m === "string" ? m : tojson(m));
    const check = (ok, what, m) => { if (!ok) throw new inside.Error(`assert: ${what} : ${text(m)}`); count.asserts++; };
    const codes = c => (Array.isArray(c) ? Array.from(c) : [c]);
    const assert = (ok, m) => check(ok, "failed", m);
    const thrown = (f, params) => { try { f(...(Array.isArray(params) ? params : [])); } catch (e) { if (e instanceof LeftOut) throw e; return e; } return null; };
    const error = r => r.ok === 0 || r.ok === false || r instanceof Failed || r.code > 0;
    Object.assign(assert, {
        eq: (a, b, m) => check(same(a, b), `${tojson(a)} != ${tojson(b)}`, m), neq: (a, b, m) => check(!same(a, b), `${tojson(a)} == ${tojson(b)}`, m),
        docEq: (a, b, m) => check(same(sorted(a), sorted(b)), `${tojson(a)} != ${tojson(b)}`, m), setEq: (a, b, m) => check(same([...a].sort(), [...b].sort()), "sets differ", m),
        sameMembers: (a, b, m) => check(same([...a].map(tojson).sort(), [...b].map(tojson).sort()), `${tojson(a)} has not the members of ${tojson(b)}`, m),
        lt: (a, b, m) => check(a < b, `${tojson(a)} >= ${tojson(b)}`, m), gt: (a, b, m) => check(a > b, `${tojson(a)} <= ${tojson(b)}`, m),
        lte: (a, b, m) => check(a <= b, `${tojson(a)} > ${tojson(b)}`, m), gte: (a, b, m) => check(a >= b, `${tojson(a)} < ${tojson(b)}`, m), between: (a, b, c, m) => check(a <= b && b <= c, "not between", m),
        isnull: (v, m) => check(v === null || v === undefined, `${tojson(v)} is not null`, m), close: (a, b, m, places = 4) => check(same(a, b) || Math.abs((a - b) / (b || 1)) < 10 ** -places, `${a} is not close to ${b}`, m),
        contains: (v, list, m) => check([...list].some(e => same(e, v)), `${tojson(v)} is not in ${tojson(list)}`, m), includes: (a, b, m) => check(a.includes(b), "does not include", m),
        throws: (f, params, m) => { const e = thrown(f, params); check(e, "did not throw", m); return e; }, doesNotThrow: (f, params, m) => { const e = thrown(f, params); check(!e, `threw ${e}`, m); },
        throwsWithCode: (f, code, params, m) => { const e = thrown(f, params); check(e && codes(code).includes(e.code), `threw ${e && e.code} (${e}), not ${code}`, m); return e; },
        commandWorked: (r, m) => { check(!(r && error(r)), `failed: ${tojson(r)}`, m); return r; }, commandFailed: (r, m) => { check(error(r), "worked", m); return r; },
        commandFailedWithCode: (r, code, m) => { check(error(r) && codes(code).includes(r.code), `failed with ${r.code} (${r.errmsg}), not ${tojson(code)}`, m); return r; },
        writeOK: (r, m) => check(r && r.ok !== 0, "write failed", m), writeError: r => check(false, "write worked"), soon: (f, m) => check(f(), "not soon", m), automsg: f => check(f(), "failed"), time: f => f(), fail: m => check(false, "fail", m),
    });
    return assert;
}

// ---- files ----

// Scripts share their globals, so modules are read as scripts.
const asScript = text => text.replace(/^import\s+(?:\{[^}]*\}\s+from\s+)?["']([^"']+)["'];?/gm, 'load("$1");').replace(/^export (?=function|const|let|class|var)/gm, "");

const named = {BadValue: 2, FailedToParse: 9, TypeMismatch: 14, Overflow: 15, InvalidLength: 16, NamespaceNotFound: 26, CannotBackfillArray: 28, OptionNotSupportedOnView: 167, InvalidPipelineOperator: 168, ConversionFailure: 241, InvalidNamespace: 73,
    InvalidOptions: 72, DuplicateKey: 11000, ExceededMemoryLimit: 146, CommandNotFound: 59, Unauthorized: 13, IllegalOperation: 20, DollarPrefixedFieldName: 52, InvalidIdField: 53, CursorNotFound: 43, QueryFeatureNotAllowed: 224, UnrecognizedCommand: 40415, InternalError: 1,
    MaxSubPipelineViewDepth: 232, QueryExceededMemoryLimitNoDiskUseAllowed: 292, BSONObjectTooLarge: 10334, IDLUnknownField: 40415, IDLFailedToParse: 40414, APIStrictError: 323, InvalidRegex: 51091};

function runFile(file) {
    const count = {asserts: 0}, dbs = new Map();
    const mongo = {getDB: n => dbs.get(n) || (dbs.set(n, makeDb(n, mongo)), dbs.get(n)), isReplicaSetConnection: () => false, setReadPref: () => {}, writeMode: () => "commands", readMode: () => "commands", host: "localhost", getDBNames: () => leaveOut("names of databases"), startSession: () => leaveOut("sessions")};
    const out = () => {};
    const globals = {
        print: out, printjson: out, jsTest: {log: Object.assign(out, {info: out, warning: out}), options: () => ({}), name: () => path.basename(file, ".js")}, jsTestLog: out, jsTestName: () => path.basename(file, ".js"), tojson, tojsononeline: tojson, tojsonObject: tojson,
        NumberLong: callable(NumberLong), NumberInt: callable(NumberInt), NumberDecimal: callable(NumberDecimal), ObjectId: callable(ObjectId), ObjectID: callable(ObjectId), BinData: callable(BinData), HexData: (sub, hex) => new BinData(sub, Buffer.from(hex, "hex").toString("base64")),
        UUID: uuid, Timestamp: callable(Timestamp), MinKey, MaxKey, Code: callable(class extends Typed { constructor(c, scope) { super("Code", scope ? {$code: String(c), $scope: toEjson(scope)} : {$code: String(c)}); } }),
        DBPointer: callable(class extends Typed { constructor(ns, id) { super("DBPointer", {$dbPointer: {$ref: ns, $id: id.json}}); } }), DBRef: function (ref, id, d) { return Object.assign(new inside.Object(), {$ref: ref, $id: id}, d && {$db: d}); },
        DBCommandCursor: function (db, reply) { return cursorOf([...reply.cursor.firstBatch]); },
        ErrorCodes: new Proxy(named, {get: (t, k) => (k in t ? t[k] : leaveOut(`the error ${String(k)}`))}), ErrorCodeStrings: {}, friendlyEqual: same, bsonWoCompare: (a, b) => (same(a, b) ? 0 : 1), bsonBinaryEqual: (a, b) => same(a, b), sleep: () => {}, gc: () => {}, quit: () => leaveOut("quit"),
        Random: {setRandomSeed: () => {}, srand: () => {}, rand: Math.random, randInt: n => Math.floor(Math.random() * n), initializeSeed: () => {}}, TestData: {}, version: () => "8.0", myPort: () => leaveOut("ports"), buildInfo: () => leaveOut("buildInfo"), isAsan: () => false, _isWindows: () => false,
        load: name => vm.runInContext(asScript(fs.readFileSync(path.join(root, name), "utf8")), context, {filename: name}),
    };
    for (const what of ["ShardingTest", "ReplSetTest", "MongoRunner", "startParallelShell", "Mongo", "connect", "runMongoProgram", "assertSchemaMatch"]) globals[what] = new Proxy(function () {}, {construct: () => leaveOut("several servers"), apply: () => leaveOut("several servers"), get: () => leaveOut("several servers")});
    const context = vm.createContext(globals);
    inside = vm.runInContext("this", context);
    for (const what of ["Array", "Object", "Date", "RegExp", "Error"]) inside[what] = vm.runInContext(what, context);
    vm.runInContext(`function ISODate(s) { return s === undefined ? new Date() : new Date(/^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?$/.test(s) ? s.replace(" ", "T") + "Z" : s); }
        Object.extend = function (a, b) { for (const k in b) a[k] = b[k]; return a; }; Object.merge = (a, b) => Object.assign({}, a, b); Array.contains = (a, v) => a.includes(v); Array.shuffle = a => a; Array.unique = a => [...new Set(a)]; Array.sum = a => a.reduce((x, y) => x + y, 0); Array.avg = a => Array.sum(a) / a.length;
        Number.prototype.zeroPad = function (n) { return String(this).padStart(n, "0"); };
        Date.prototype.tojson = function () { const ms = this.getUTCMilliseconds(); return 'ISODate("' + (this.getUTCFullYear() >= 0 && this.getUTCFullYear() <= 9999 ? this.toISOString().slice(0, 19) + (ms ? "." + ms.zeroPad(3) : "") + "Z" : this.getTime()) + '")'; };
        Object.bsonsize = () => { throw new Error("bsonsize"); }; Array.tojson = tojson; String.prototype.pad = function (n) { return this.padStart(n); };`, context);
    globals.assert = makeAssert(count);
    globals.doassert = m => globals.assert(false, m);
    globals.db = mongo.getDB("test");
    try {
        vm.runInContext(asScript(fs.readFileSync(file, "utf8")), context, {filename: file, timeout: 300000});
        return {result: count.asserts ? "passed" : "no assert", asserts: count.asserts};
    } catch (e) {
        if (e instanceof LeftOut) return {result: "left out", why: e.message, asserts: count.asserts};
        if (e.code === "ENOENT") return {result: "left out", why: "files of other folders", asserts: count.asserts};
        return {result: "failed", why: String((e && (e.stack || e.message)) || e).split("\n").filter(l => !/node:|at Proxy|tools\/jstests/.test(l)).slice(0, 4).join("\n      "), asserts: count.asserts};
    }
}

function filesOf(folder) {
    return fs.readdirSync(folder, {withFileTypes: true}).flatMap(e => (e.isDirectory() ? filesOf(path.join(folder, e.name)) : e.name.endsWith(".js") ? [path.join(folder, e.name)] : []));
}

const helpers = /jstests\/aggregation\/(extras|data)\//, results = {}, reasons = {};
let asserts = 0;
for (const file of only.length ? only.map(f => path.join(root, f)) : filesOf(path.join(root, "jstests/aggregation")).filter(f => !helpers.test(f)).sort()) {
    const r = runFile(file), name = path.relative(root, file);
    (results[r.result] = results[r.result] || []).push(name);
    if (r.result === "passed" || r.result === "failed") asserts += r.asserts;
    if (r.result === "failed") console.log(`failed ${name} after ${r.asserts} asserts\n      ${r.why}`);
    if (r.result === "left out") {
        reasons[r.why] = (reasons[r.why] || 0) + 1;
        if (process.env.VERBOSE) console.log(`left out ${name}: ${r.why}`);
    }
}
fs.rmSync(scratch, {recursive: true, force: true});
const n = k => (results[k] || []).length;
for (const [why, times] of Object.entries(reasons).sort((a, b) => b[1] - a[1])) console.log(`left out ${times}: ${why}`);
console.log(`${n("passed")} of ${n("passed") + n("failed")} files give the published results (${asserts} assertions hold); ${n("left out")} are left out, ${n("no assert")} assert nothing`);
