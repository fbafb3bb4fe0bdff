'use strict';

// Light and dark: follows the system until the button is used.
const root = document.documentElement;
const themeButton = document.getElementById('theme');
const systemDark = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
try { chosen = localStorage.getItem('hgnet-theme'); } catch (error) { /* files may have no storage */ }
function showTheme() {
  const theme = chosen || (systemDark.matches ? 'dark' : 'light');
  root.dataset.theme = theme;
  themeButton.textContent = theme === 'dark' ? 'Light' : 'Dark';
}
themeButton.hidden = false;
themeButton.addEventListener('click', () => {
  chosen = root.dataset.theme === 'dark' ? 'light' : 'dark';
  try { localStorage.setItem('hgnet-theme', chosen); } catch (error) { /* as above */ }
  showTheme();
});
systemDark.addEventListener('change', showTheme);
showTheme();

// Unfold everything for printing.
addEventListener('beforeprint', () => {
  for (const part of document.querySelectorAll('details:not([open])')) {
    part.open = true;
    part.dataset.unfolded = '';
  }
});
addEventListener('afterprint', () => {
  for (const part of document.querySelectorAll('details[data-unfolded]')) {
    part.open = false;
    delete part.dataset.unfolded;
  }
});

// Sorting. A cell's value is its data-v, or its text; cells without either come last in both
// directions.
function valueOf(row, column) {
  const cell = row.cells[column];
  if (!cell || cell.classList.contains('missing')) return null;
  return cell.dataset.v !== undefined ? Number(cell.dataset.v) : cell.textContent.trim();
}
function sortBy(table, header, column) {
  const numeric = header.classList.contains('number') || header.textContent.startsWith('Depth');
  const before = header.getAttribute('aria-sort');
  const descending = before ? before === 'ascending' : numeric;
  for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, (row) => ({ row, value: valueOf(row, column) }));
  rows.sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    const order = typeof a.value === 'number' ? a.value - b.value : a.value.localeCompare(b.value);
    return descending ? -order : order;
  });
  body.append(...rows.map((item) => item.row));
  table.classList.add('sorted');
}
for (const table of document.querySelectorAll('table.sortable')) {
  Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells).forEach((header, column) => {
    if (header.getAttribute('scope') !== 'col') return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    const name = document.createElement('span');
    name.append(header.firstChild);
    button.append(name, ...header.childNodes);
    header.append(button);
    button.addEventListener('click', () => sortBy(table, header, column));
  });
}

// One tooltip for all elements with details.
const tip = document.getElementById('tip');
function showTip(text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = Math.min(Math.max(6, x + 14), innerWidth - box.width - 6);
  const below = y + 16 + box.height < innerHeight;
  tip.style.left = Math.max(6, left) + 'px';
  tip.style.top = Math.max(6, below ? y + 16 : y - box.height - 12) + 'px';
}
function hideTip() { tip.hidden = true; }
for (const item of document.querySelectorAll('td[title], abbr[title], span[title]')) {
  item.dataset.tip = item.title;
  item.removeAttribute('title');
  const show = (event) => {
    const box = item.getBoundingClientRect();
    showTip(item.dataset.tip, event.clientX || box.left, event.clientY || box.bottom);
    event.stopPropagation();
  };
  item.addEventListener('pointermove', show);
  item.addEventListener('click', show);
  item.addEventListener('focus', show);
  item.addEventListener('pointerleave', hideTip);
  item.addEventListener('blur', hideTip);
}
addEventListener('scroll', hideTip, { passive: true });
addEventListener('keydown', (event) => { if (event.key === 'Escape') hideTip(); });

// Legends switch series off and on in all charts of their section.
for (const entry of document.querySelectorAll('.legend li')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('aria-pressed', 'true');
  button.append(...entry.childNodes);
  entry.append(button);
  button.addEventListener('click', () => {
    const on = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(on));
    for (const series of entry.closest('section').querySelectorAll('.chart .series'))
      if (series.dataset.name === entry.dataset.name) series.classList.toggle('off', !on);
  });
}

// Charts: the nearest marker or, if there are only lines, the values of all lines at the nearest x.
function axisOf(text, from, to) {
  const [low, high, kind] = text.split(' ');
  return (place) => {
    const value = Number(low) + (place - from) / (to - from) * (high - low);
    return kind ? 10 ** value : value;
  };
}
function pointsOf(line) {
  return line.getAttribute('d').split(/[ML]/).slice(1).map((pair) => pair.split(' ').map(Number));
}
function placeIn(chart, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
  return [at.x, at.y];
}
function nearestMark(chart, marks, event) {
  const [x, y] = placeIn(chart, event);
  let best = null;
  let least = 18 * 18;
  for (const mark of marks) {
    if (mark.element.parentNode.classList.contains('off')) continue;
    const distance = (mark.x - x) ** 2 + (mark.y - y) ** 2;
    if (distance < least) [least, best] = [distance, mark];
  }
  if (best) showTip(best.text, event.clientX, event.clientY);
  else hideTip();
}
function lineReader(chart) {
  const [left, top, right, bottom] = chart.dataset.plot.split(' ').map(Number);
  const toX = axisOf(chart.dataset.x, left, right);
  const toY = axisOf(chart.dataset.y, bottom, top);
  const lines = Array.from(chart.querySelectorAll('.series'), (series) =>
    ({ series, points: pointsOf(series.querySelector('.line')) }));
  const cursor = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  cursor.setAttribute('class', 'cursor');
  chart.append(cursor);
  chart.addEventListener('pointerleave', () => cursor.removeAttribute('d'));
  return (event) => {
    const [x] = placeIn(chart, event);
    const nearer = (a, b) => Math.abs(b[0] - x) < Math.abs(a[0] - x) ? b : a;
    const nearest = lines
      .filter(({ series, points }) => !series.classList.contains('off') && points.length > 0)
      .map(({ series, points }) => ({ name: series.dataset.name, point: points.reduce(nearer) }));
    if (nearest.length === 0) return;
    // Lines that end earlier have no value here.
    const at = nearest.map((item) => item.point).reduce(nearer)[0];
    const found = nearest.filter((item) => Math.abs(item.point[0] - at) < 0.5)
      .map((item) => ({ name: item.name, value: toY(item.point[1]) }));
    cursor.setAttribute('d', `M${at} ${top}V${bottom}`);
    found.sort((a, b) => b.value - a.value);
    const list = found.map((item) => `${item.name}: ${Number(item.value.toPrecision(3))}`);
    showTip(`epoch ${Math.round(toX(at))}\n${list.join('\n')}`, event.clientX, event.clientY);
  };
}
for (const chart of document.querySelectorAll('svg.chart[data-plot]')) {
  const marks = Array.from(chart.querySelectorAll('.marker'), (element) => {
    const [x, y] = element.getAttribute('transform').slice(10, -1).split(' ').map(Number);
    const title = element.querySelector('title');
    const text = title.textContent;
    title.remove();
    element.setAttribute('aria-label', text);
    return { element, x, y, text };
  });
  const read = marks.length > 0 ? (event) => nearestMark(chart, marks, event) : lineReader(chart);
  chart.addEventListener('pointermove', read);
  chart.addEventListener('pointerdown', read);
  chart.addEventListener('pointerleave', hideTip);
}
