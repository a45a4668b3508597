import { frameOf, mostTicks } from '../../../parts/curves/CurveStack.tsx';
import { marginsOf } from '../../../parts/curves/geometry.ts';
import { colorOf, type Ink, type Pencil } from '../../../parts/curves/ink.ts';
import type { Panel, Span } from '../../../parts/curves/model.ts';
import { paintPanel } from '../../../parts/curves/paint.ts';
import { timeTicks } from '../../../parts/time/ticks.ts';

const [width, padding, line, scale] = [1200, 24, 22, 2];

/** The curves as they are shown, with a title and their legend, as a picture of their own. */
export async function pictureOf(
  panels: readonly Panel[],
  span: Span,
  nights: readonly Span[],
  ink: Ink,
  title: string,
): Promise<Blob> {
  const margins = marginsOf(panels, ink.language);
  const frames = panels.map((panel) => frameOf(panel, width - 2 * padding, margins));
  const names = panels.flatMap(({ kind, curves }) => (kind === 'lanes' ? [] : curves));
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height =
    (2 * padding + line + names.length * line + frames.reduce((sum, frame) => sum + frame.height + 12, 0)) * scale;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('the browser draws no pictures');
  pen.scale(scale, scale);
  pen.fillStyle = ink.colors.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(pen, title, padding, padding, `600 15px ${ink.fontFamily}`, ink.colors.text);
  const ticks = timeTicks(span, ink.zone, mostTicks(width - 2 * padding - margins.left - margins.right));
  let top = padding + line + 4;
  panels.forEach((panel, index) => {
    // Each picture clears its own ground, which here is the colour of the card.
    const own = document.createElement('canvas');
    own.width = frames[index]!.width * scale;
    own.height = frames[index]!.height * scale;
    const inner = own.getContext('2d');
    if (!inner) return;
    inner.scale(scale, scale);
    paintPanel(inner, { panel, span, nights, ticks, now: Infinity, chosen: null }, frames[index]!, ink);
    pen.drawImage(own, padding, top, frames[index]!.width, frames[index]!.height);
    top += frames[index]!.height + 12;
  });
  names.forEach((curve, index) => {
    const y = top + index * line;
    Object.assign(pen, { strokeStyle: colorOf(curve, ink.colors), lineWidth: 3 });
    pen.setLineDash([...curve.pen.dash]);
    pen.beginPath();
    pen.moveTo(padding, y + 8);
    pen.lineTo(padding + 26, y + 8);
    pen.stroke();
    write(
      pen,
      `${curve.name}${curve.unit === '' ? '' : ` (${curve.unit})`}`,
      padding + 36,
      y,
      `13px ${ink.fontFamily}`,
      ink.colors.text,
    );
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture was made'))), 'image/png');
  });
}

function write(pen: Pencil, text: string, x: number, y: number, font: string, color: string): void {
  pen.setLineDash([]);
  Object.assign(pen, { font, fillStyle: color, textAlign: 'left', textBaseline: 'top' });
  pen.fillText(text, x, y);
}

/** Hands a file to whoever looks at the page. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
