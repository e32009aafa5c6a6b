// The search box. The index and lunr are loaded when the box is first used.
const box = document.getElementById("query"), list = document.getElementById("found");
let index = null, loading = null;

function script (name) {
  return new Promise ((done, failed) => {
    const s = document.createElement ("script");
    s.src = root + name;
    s.onload = done;
    s.onerror = failed;
    document.head.append (s);
  });
}

function load () {
  loading ??= Promise.all ([script ("search/lunr.js"), script ("search/index.js")]).then (() => {
    index = lunr (function () {
      this.ref ("at");
      this.field ("title", { boost: 8 });
      this.field ("text");
      this.pipeline.remove (lunr.stopWordFilter);
      // Names such as time_bucket are found by their parts, too.
      lunr.tokenizer.separator = /[\s\-._(),:;'"`<>\[\]{}]+/;
      window.searchDocuments.forEach (([, title, text], at) => this.add ({ at, title, text }));
    });
  });
  return loading;
}

// Documents that have all words, or words that begin like them.
function search (words) {
  const terms = words.toLowerCase ().split (lunr.tokenizer.separator).filter (Boolean);
  return index.query ((q) => terms.forEach ((term) => {
    const stem = lunr.stemmer (new lunr.Token (term)).toString ();
    q.term (stem, { presence: lunr.Query.presence.REQUIRED, wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    q.term (stem, { boost: 4, usePipeline: false });
  })).slice (0, 20);
}

// The text around the first of the words, with the words marked.
function excerpt (text, words) {
  const terms = words.split (/\s+/).filter (Boolean).map ((w) => w.replace (/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp (`(${terms.join ("|")})`, "gi");
  const plain = new DOMParser ().parseFromString (text, "text/html").body.textContent;
  const from = Math.max (0, plain.search (pattern) - 60);
  const out = document.createElement ("small");
  plain.slice (from, from + 160).split (pattern).forEach ((part, i) => {
    const piece = document.createElement (i % 2 ? "mark" : "span");
    piece.textContent = part;
    out.append (piece);
  });
  return out;
}

async function show () {
  const words = box.value.trim ();
  list.hidden = !words;
  if (!words)
    return;
  await load ();
  list.replaceChildren (...search (words).map (({ ref }) => {
    const [location, title, text] = window.searchDocuments[ref];
    const link = document.createElement ("a"), item = document.createElement ("li");
    link.href = root + location;
    link.append (title, excerpt (text, words));
    item.append (link);
    return item;
  }));
  if (!list.childElementCount)
    list.textContent = "Nothing found.";
}

box.addEventListener ("focus", load);
box.addEventListener ("input", show);
list.addEventListener ("click", () => { list.hidden = true; });
document.addEventListener ("keydown", (event) => {
  const links = [...list.querySelectorAll ("a")], at = links.indexOf (document.activeElement);
  if (event.key === "/" && document.activeElement !== box) {
    event.preventDefault ();
    box.focus ();
  } else if (event.key === "Escape") {
    list.hidden = true;
    box.blur ();
  } else if (!list.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp") && links.length) {
    event.preventDefault ();
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    (next < 0 ? box : links[Math.min (next, links.length - 1)]).focus ();
  }
});
document.addEventListener ("click", (event) => {
  if (!event.target.closest (".search"))
    list.hidden = true;
});
