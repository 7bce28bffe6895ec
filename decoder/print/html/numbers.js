// Numbers for people, in the scales that the text printer has.
const SCALES = {
  ns : [ [ 1, "ns" ], [ 1e3, "µs" ], [ 1e6, "ms" ], [ 1e9, "s" ] ],
  cycles : [ [ 1, "cycles" ], [ 1e3, "kcycles" ], [ 1e6, "Mcycles" ], [ 1e9, "Gcycles" ] ],
  bytes : [ [ 1, "B" ], [ 1024, "KiB" ], [ 1048576, "MiB" ], [ 1073741824, "GiB" ] ],
  khz : [ [ 1, "kHz" ], [ 1e3, "MHz" ], [ 1e6, "GHz" ] ],
  percent : [ [ 1, "%" ] ],
  "" : [ [ 1, "" ] ],
};

/** Of the unit for columns that are read side by side, whose largest values are from `least` (Infinity: there is none) to `most`. */
function divisorFor(unit, least, most) {
  const MOST = 1e6, first = Math.min(least, most);
  let divisor = 1;
  for (const [next] of SCALES[unit])
    if (first / divisor >= (unit === "cycles" && divisor === 1 ? MOST : 1e4) || most / divisor >= MOST)
      divisor = next;
  return divisor;
}

function formatFor(unit, most, isWhole) { return formatIn(unit, divisorFor(unit, most, most), most, isWhole); }

function formatIn(unit, divisor, most, isWhole) {
  const [, name] = SCALES[unit].find(([ size ]) => size === divisor);
  const shown = most / divisor;
  let decimals = shown < 10 ? 3 : shown < 100 ? 2 : 1;
  if (unit === "percent")
    decimals = 1;
  if (divisor === 1 && isWhole && unit !== "percent")
    decimals = 0;
  return {divisor, unit : name, decimals};
}

function formatted(value, format) {
  const scaled = value / format.divisor;
  let decimals = format.decimals;
  const size = Math.abs(scaled);
  if (size > 0 && size < 1 && decimals > 0)
    while (decimals < 6 && size * 10 ** decimals < 1)
      ++decimals;
  return scaled.toFixed(decimals);
}

/** `step`: with as many digits as times so far apart need to look different, in the unit of `most`. */
function timeText(ns, step, most = ns) {
  if (ns === 0)
    return "0";
  const format = formatFor("ns", Math.abs(most), Number.isInteger(ns));
  if (!step)
    return `${formatted(ns, format)} ${format.unit}`;
  const decimals = Math.max(0, Math.ceil(Math.log10(format.divisor / step) - 1e-9));
  return `${(ns / format.divisor).toFixed(decimals)} ${format.unit}`;
}

/** At most so many characters; whoever shows it has the whole as a title. */
function cutText(text, most) { return text.length > most ? `${text.slice(0, most - 1)}…` : text; }

function element(name, className, text) {
  const out = document.createElement(name);
  if (className)
    out.className = className;
  if (text !== undefined)
    out.textContent = text;
  return out;
}

function dataOf(id) {
  const node = document.getElementById(id);
  if (!node)
    return null;
  const data = JSON.parse(node.textContent);
  node.remove(); // many megabytes that nothing reads again
  return data;
}

const tip = element("div", "tip");
tip.hidden = true;
function showTip(event, text) {
  tip.hidden = !text;
  if (!text)
    return;
  tip.textContent = text;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - box.width - 8))}px`;
  tip.style.top =
      `${event.clientY + 16 + box.height > innerHeight ? event.clientY - box.height - 8 : event.clientY + 16}px`;
}
