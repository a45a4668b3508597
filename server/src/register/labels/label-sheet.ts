import { PDFDocument, type SKRSContext2D } from '@napi-rs/canvas';
import encodeQr from 'qr';
import { createLabelFonts } from './label-fonts.ts';
import type { Label, LabelOrder } from './label.ts';

const mm = 72 / 25.4;
const page = { width: 210 * mm, height: 297 * mm };
/** The usual sheet of 24 labels: three columns to the edges, half a millimetre above and below. */
const grid = { columns: 3, rows: 8, width: 70 * mm, height: 37 * mm, top: 0.5 * mm };
/** Printers reach no further than 5 mm to the edge of the paper. */
const inner = { x: 6 * mm, y: 5 * mm };
const qrSide = 27 * mm;
const gap = 3 * mm;

/** Label sheets as PDF, in vectors: sharp at any size, text with the fonts it needs inside. */
export function drawLabels({ title, labels }: LabelOrder): Buffer {
  const pdf = new PDFDocument({ title, creator: 'Lampyris' });
  const fontsOf = createLabelFonts();
  const onPage = grid.columns * grid.rows;
  for (let at = 0; at < labels.length; at += onPage) {
    const pen = pdf.beginPage(page.width, page.height) as unknown as SKRSContext2D;
    labels.slice(at, at + onPage).forEach((label, index) => {
      pen.save();
      pen.translate((index % grid.columns) * grid.width, grid.top + Math.floor(index / grid.columns) * grid.height);
      drawLabel(pen, label, fontsOf);
      pen.restore();
    });
    pdf.endPage();
  }
  return pdf.close();
}

function drawLabel(pen: SKRSContext2D, { code, name, place, address }: Label, fontsOf: (text: string) => string): void {
  pen.fillStyle = '#000';
  drawQr(pen, address, inner.x, inner.y, qrSide);
  const x = inner.x + qrSide + gap;
  const room = grid.width - x - inner.x + 2 * mm;
  const write = (text: string, y: number, size: number, weight: number): void => {
    pen.font = `${weight} ${size}px ${fontsOf(text)}`;
    pen.fillText(text, x, y);
  };
  const measured =
    (size: number, weight: number) =>
    (text: string): number => {
      pen.font = `${weight} ${size}px ${fontsOf(text)}`;
      return pen.measureText(text).width;
    };
  // A code is read by people too: it becomes smaller before it is cut, and is never broken.
  const size = [13, 11.5, 10, 8.5, 7].find((one) => measured(one, 700)(code) <= room) ?? 7;
  let y = inner.y + 12;
  write(cut(code, room, measured(size, 700)), y, size, 700);
  y += 15;
  for (const line of broken(name, room, 3, measured(8.5, 400))) {
    write(line, y, 8.5, 400);
    y += 11;
  }
  if (place !== '') write(cut(place, room, measured(7, 400)), inner.y + qrSide - 3, 7, 400);
}

/** Dark modules as one path, neighbours in a row joined: no hairlines between them. */
export function drawQr(pen: SKRSContext2D, text: string, left: number, top: number, side: number): void {
  const modules = encodeQr(text, 'raw', { ecc: 'quartile', border: 2 });
  const unit = side / modules.length;
  pen.beginPath();
  modules.forEach((row, y) => {
    for (let from = 0; from < row.length; from += 1) {
      if (row[from] !== true) continue;
      let to = from;
      while (row[to] === true) to += 1;
      pen.rect(left + from * unit, top + y * unit, (to - from) * unit, unit);
      from = to;
    }
  });
  pen.fill();
}

/** As much as fits, with an ellipsis where something is left out. */
export function cut(text: string, room: number, width: (text: string) => number): string {
  if (width(text) <= room) return text;
  const signs = [...text];
  while (signs.length > 1 && width(`${signs.join('')}…`) > room) signs.pop();
  return `${signs.join('').trimEnd()}…`;
}

/** A text in at most so many lines: Latin words stay whole where they fit, Chinese breaks anywhere. */
export function broken(text: string, room: number, most: number, width: (text: string) => number): string[] {
  const pieces = text.match(/[\p{Script=Latin}\p{N}\p{P}]+\s*|\s+|./gu) ?? [];
  const lines: string[] = [];
  let line = '';
  pieces.forEach((piece, index) => {
    if (lines.length === most) return;
    if (line === '' || width((line + piece).trimEnd()) <= room) line += piece;
    else if (lines.length === most - 1) {
      lines.push(cut(line + pieces.slice(index).join(''), room, width));
      line = '';
    } else {
      lines.push(cut(line.trimEnd(), room, width));
      line = piece.trimStart();
    }
  });
  if (line.trim() !== '' && lines.length < most) lines.push(cut(line.trimEnd(), room, width));
  return lines;
}
