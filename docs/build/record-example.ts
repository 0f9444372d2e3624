import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { printHelpIfAsked } from '../../scripts/usage.ts';
import { docs } from '../.vitepress/navigation.ts';

printHelpIfAsked(`
Runs the quickstart, and draws its output as an animated picture of a terminal: docs/pictures/example.svg.

  npm run recording
`);

const COMMAND = 'npm run example';
const TYPING_MS = 700;
/** The time that a reader gets to read a line. Without these pauses, the quickstart takes less than a second. */
const PER_LINE_MS = 380;
const LINE_PX = 19;
const WIDTH_PX = 440;
/**
 * The number of characters that fit on a line. The picture is narrow, so that its text is readable on a phone.
 */
const LINE_MAX = 51;

interface Line {
  label: string;
  detail: string;
}

const lines: Line[] = [];
const child = spawn('npm', ['run', '--silent', 'example'], {
  cwd: join(docs, '..'),
  stdio: ['ignore', 'pipe', 'inherit'],
});
for await (const line of createInterface({ input: child.stdout })) {
  const [label = '', detail = ''] = line.split(/ {2,}| (?=")/);
  if (label.trim() !== '') lines.push({ label: label.trim(), detail: short(detail) });
}
if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`${COMMAND} ended with ${child.exitCode}.`);

writeFileSync(join(docs, 'pictures/example.svg'), draw(lines));

/** Leaves out the middle of each id, so that the line fits into the picture. */
function short(text: string): string {
  return text.replaceAll(/\b(\w{3}_\w{6})\w{10,}(\w{4})\b/g, '$1…$2');
}

/**
 * Draws the lines as SVG. The lines appear one after another, so that a reader has time to read each line. A detail
 * that does not fit next to its label goes on the next line.
 */
function draw(printed: readonly Line[]): string {
  let y = 52;
  const rows = printed.map(({ label, detail }, index) => {
    const text = short(label);
    const isWide = text.length + 2 + detail.length > LINE_MAX;
    y += LINE_PX;
    const first = `<text x="16" y="${y}" class="${markOf(label, detail)}">${escapeXml(text)}</text>`;
    if (isWide) y += LINE_PX;
    const x = isWide ? 32 : 16 + (text.length + 2) * 8;
    const second = detail === '' ? '' : `<text x="${x}" y="${y}">${escapeXml(detail)}</text>`;
    const delay = ((TYPING_MS + index * PER_LINE_MS) / 1000).toFixed(2);
    return `<g class="line" style="animation-delay:${delay}s">${first}${second}</g>`;
  });
  const height = y + 18;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH_PX} ${height}" role="img">
<title>${COMMAND}</title>
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#c9d1d9;white-space:pre}
.dim{fill:#8b949e}.yes{fill:#7ee787}.no{fill:#ffa198}.plain{fill:#a5d6ff}
.line{animation:show .2s ease-out both}
@keyframes show{from{opacity:0}to{opacity:1}}
@media (prefers-reduced-motion:reduce),print{.line{animation:none}}
</style>
<rect width="${WIDTH_PX}" height="${height}" rx="8" fill="#0d1117" stroke="#30363d"/>
<circle cx="20" cy="18" r="5" fill="#f85149"/><circle cx="38" cy="18" r="5" fill="#d29922"/><circle cx="56" cy="18" r="5" fill="#3fb950"/>
<text x="16" y="48"><tspan class="dim">$</tspan> ${COMMAND}</text>
${rows.join('\n')}
</svg>
`;
}

/** The class for a line's color: one color for verified requests, one for rejected requests, and one for the rest. */
function markOf(label: string, detail: string): string {
  if (/\b401\b/.test(detail)) return 'no';
  return /^(?:Verified|GET|Done)/.test(label) ? 'yes' : 'plain';
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
