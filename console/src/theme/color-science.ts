/** What the tests of the palette compute with: WCAG contrast, colour-vision simulation, CIEDE2000. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const parseHex = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
};

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** WCAG 2 contrast ratio of two opaque hex colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(parseHex(one)), luminance(parseHex(other))].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

type Matrix = readonly [Rgb, Rgb, Rgb];
const apply = (matrix: Matrix, [x, y, z]: Rgb): Rgb =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Rgb;

/** Machado, Oliveira, Fernandes 2009, severity 1.0, on linear light. */
export const visions: Record<'normal' | 'protan' | 'deutan' | 'tritan', Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function labOf(hex: string, vision: Matrix): Rgb {
  const seen = apply(vision, parseHex(hex).map(linear) as unknown as Rgb).map((part) =>
    Math.min(1, Math.max(0, part)),
  ) as unknown as Rgb;
  const [x, y, z] = apply(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    seen,
  );
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

const degrees = (radians: number): number => ((radians * 180) / Math.PI + 360) % 360;
const radians = (angle: number): number => (angle * Math.PI) / 180;

/**
 * The hue terms of CIEDE2000: difference and mean of two hues in degrees, with its rules for grey and for the turn at
 * 360.
 */
function hues(c1: number, h1: number, c2: number, h2: number): { difference: number; mean: number } {
  if (c1 * c2 === 0) return { difference: 0, mean: h1 + h2 };
  const gap = h2 - h1;
  const difference = Math.abs(gap) <= 180 ? gap : gap > 180 ? gap - 360 : gap + 360;
  const sum = h1 + h2;
  const mean = Math.abs(gap) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
  return { difference, mean };
}

/** CIEDE2000 of two hex colours as an eye of a kind sees them (Sharma, Wu, Dalal 2005). */
export function deltaE(one: string, other: string, vision: Matrix = visions.normal): number {
  const [l1, a1, b1] = labOf(one, vision);
  const [l2, a2, b2] = labOf(other, vision);
  const mean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const g = 0.5 * (1 - Math.sqrt(mean7 / (mean7 + 25 ** 7)));
  const [x1, x2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const { difference, mean } = hues(c1, degrees(Math.atan2(b1, x1)), c2, degrees(Math.atan2(b2, x2)));
  const [lMean, cMean] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const t =
    1 -
    0.17 * Math.cos(radians(mean - 30)) +
    0.24 * Math.cos(radians(2 * mean)) +
    0.32 * Math.cos(radians(3 * mean + 6)) -
    0.2 * Math.cos(radians(4 * mean - 63));
  const lScale = 1 + (0.015 * (lMean - 50) ** 2) / Math.sqrt(20 + (lMean - 50) ** 2);
  const [cScale, hScale] = [1 + 0.045 * cMean, 1 + 0.015 * cMean * t];
  const rotation =
    -2 * Math.sqrt(cMean ** 7 / (cMean ** 7 + 25 ** 7)) * Math.sin(radians(60 * Math.exp(-(((mean - 275) / 25) ** 2))));
  const [dl, dc, dh] = [
    (l2 - l1) / lScale,
    (c2 - c1) / cScale,
    (2 * Math.sqrt(c1 * c2) * Math.sin(radians(difference / 2))) / hScale,
  ];
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh);
}
