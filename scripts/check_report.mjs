// Checks a report in headless Chromium, as a reader would see it. Run by check_report.sh:
//   node check_report.mjs REPORT.html FOLDER_FOR_SCREENSHOTS
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';

const [report, folder] = process.argv.slice(2);
const puppeteer = createRequire(path.join(process.cwd(), 'package.json'))('puppeteer-core');

const failures = [];
function check(what, holds, detail = '') {
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}${detail ? ` (${detail})` : ''}`);
  if (!holds) failures.push(what);
}

const browser = await puppeteer.launch({
  timeout: 0,
  protocolTimeout: 0,  // a busy machine is not a defect of the report
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});

async function open({ width, height, dark = false, phone = false }) {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  page.complaints = [];
  page.requests = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('request', (request) => {
    if (!/^(data|file):/.test(request.url())) page.requests.push(request.url());
  });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.setViewport({ width, height, deviceScaleFactor: 1, isMobile: phone, hasTouch: phone });
  await page.goto(pathToFileURL(path.resolve(report)).href, { waitUntil: 'load' });
  return page;
}

// Waits until the screen has been painted.
const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300))));

async function shoot(page, name) {
  const sections = await page.$$eval('main > section', (all) => all.map((section) => section.id));
  await page.evaluate(() => scrollTo(0, 0));
  await painted(page);
  await page.screenshot({ path: path.join(folder, `${name}-top.png`) });
  for (const id of sections) {
    await page.evaluate((anchor) => document.getElementById(anchor).scrollIntoView(), id);
    await painted(page);
    await page.screenshot({ path: path.join(folder, `${name}-${id}.png`) });
  }
}

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const brightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;

// A large screen.
const page = await open({ width: 1280, height: 900 });
const light = await background(page);
check('the page is light where the system is', brightness(light) > 200, light);

const table = await page.$('table.heatmap');
const column = (kind) => page.evaluate((element, wanted) => {
  const header = element.tHead.rows[element.tHead.rows.length - 1];
  const place = Array.from(header.cells).findIndex((cell) => cell.classList.contains('number'));
  if (wanted === 'click') header.cells[place].querySelector('button').click();
  return Array.from(element.tBodies[0].rows, (row) => row.cells[place].dataset.v).filter((v) => v !== undefined).map(Number);
}, table, kind);
const start = await column('read');
const descending = await column('click');
const ascending = await column('click');
const ordered = (values, sign) => values.every((value, i) => i === 0 || sign * (value - values[i - 1]) >= 0);
check('a click on a heading sorts, best first', ordered(descending, -1) && descending.length === start.length,
      descending.slice(0, 3).join(', '));
check('a second click turns the order round', ordered(ascending, 1));
check('missing cells stay last, either way', await page.evaluate((element) => {
  const header = element.tHead.rows[element.tHead.rows.length - 1];
  const lastCells = () => Array.from(element.tBodies[0].rows, (row) => row.cells[row.cells.length - 1].classList.contains('missing'));
  return [1, 2].every(() => {
    header.cells[header.cells.length - 1].querySelector('button').click();
    const missing = lastCells();
    return missing.every((each, i) => !each || missing.slice(i).every(Boolean));
  });
}, table));

const cell = await page.$('td.heat');
if (cell) {
  await cell.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await cell.hover();
  const tip = await page.$eval('#tip', (element) => (element.hidden ? '' : element.textContent));
  check('hovering over a figure shows its fits', / over \d+ fits?/.test(tip), tip.split('\n')[0]);
  await page.screenshot({ path: path.join(folder, 'light-tip.png') });
}
const marks = await page.$$('.chart .marker');
if (marks.length > 0) {
  await marks[0].evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await marks[0].hover();
  check('hovering over a mark shows its values', !(await page.$eval('#tip', (element) => element.hidden)));
}
const curve = await page.$('#curves svg.chart');
if (curve) {
  await curve.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await curve.hover();
  const tip = await page.$eval('#tip', (element) => (element.hidden ? '' : element.textContent));
  check('hovering over a curve reads it', /^epoch \d+/.test(tip), tip.split('\n').slice(0, 2).join(', '));
}
const legend = await page.$('.legend button');
if (legend) {
  await legend.evaluate((element) => element.click());
  check('the legend hides a series', (await page.$$('.series.off')).length > 0);
  await legend.evaluate((element) => element.click());
}
check('all anchors lead somewhere', await page.$$eval('a[href^="#"]', (links) =>
  links.every((link) => document.getElementById(link.getAttribute('href').slice(1)))));
check('no id occurs twice', await page.$$eval('[id]', (all) => new Set(all.map((item) => item.id)).size === all.length));
check('every chart has a name', await page.$$eval('svg.chart', (all) => all.every((chart) => chart.getAttribute('aria-label'))));

await page.click('#theme');
check('the button makes it dark', brightness(await background(page)) < 60);
await page.click('#theme');
check('and light again', await background(page) === light);
await shoot(page, 'light');
await page.evaluate(() => {
  for (const part of document.querySelectorAll('.check, section > details')) part.open = true;
});
await shoot(page, 'light-open');

// Dark, by the system's setting.
const night = await open({ width: 1280, height: 900, dark: true });
await night.evaluate(() => { try { localStorage.clear(); } catch (error) { /* none */ } });
await night.reload();
check('the page is dark where the system is', brightness(await background(night)) < 60, await background(night));
await shoot(night, 'dark');

// A phone.
const phone = await open({ width: 360, height: 740, phone: true });
for (const state of ['folded', 'unfolded']) {
  const wide = await phone.evaluate(() => {
    const limit = document.documentElement.clientWidth;
    const inBox = (element) => element.closest('.scroll, .links, .paper, svg, #tip');
    const culprits = Array.from(document.body.querySelectorAll('*')).filter((element) =>
      !inBox(element) && element.getBoundingClientRect().right > limit + 1);
    return { width: document.documentElement.scrollWidth, limit,
             culprit: culprits.length > 0 ? culprits[0].outerHTML.slice(0, 80) : '' };
  });
  check(`a phone scrolls up and down only, ${state}`, wide.width <= wide.limit && wide.culprit === '',
        `${wide.width} of ${wide.limit} ${wide.culprit}`);
  if (state === 'folded') await shoot(phone, 'phone');
  await phone.evaluate(() => { for (const part of document.querySelectorAll('details')) part.open = true; });
}

// Paper.
const paper = await open({ width: 1280, height: 900, dark: true });
await paper.pdf({ path: path.join(folder, 'report.pdf'), format: 'A4', printBackground: true, timeout: 0 });
const bytes = fs.statSync(path.join(folder, 'report.pdf')).size;
check('it prints', bytes > 20000, `${bytes} bytes`);
await paper.emulateMediaType('print');
check('paper is white, whatever the theme', brightness(await background(paper)) > 250);

for (const [name, each] of Object.entries({ page, night, phone, paper })) {
  check(`${name}: no complaint on the console`, each.complaints.length === 0, each.complaints.join('; '));
  check(`${name}: nothing is fetched`, each.requests.length === 0, each.requests.join(' '));
}
await browser.close();
if (failures.length > 0) {
  console.error(`${failures.length} checks failed`);
  process.exit(1);
}
