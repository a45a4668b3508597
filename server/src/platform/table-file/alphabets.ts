import type { Encoding } from './encodings.ts';

/** What one reading of bytes earns; the text of the right reading earns about 1 a character. */
export interface Judged {
  readonly points: number;
  readonly characters: number;
  readonly bad: number;
}

/**
 * Frequent characters of lists of places and things; each earns more, so that a heading of two characters differs from
 * chance.
 */
const common = {
  gb18030: new Set(
    '编号名称路灯杆街道市区县镇乡村里巷弄段东西南北中大小上下左右新人民公园建设光明和平解放工业高速桥侧型类别功率瓦数材质备注坐标经纬度位置地址所属项目部门管理单位状态时间日期序列安装厂家规格数量电源箱控制器变压',
  ),
  big5: new Set(
    '編號名稱路燈桿街道市區縣鎮鄉村里鄰巷弄段東西南北中大小上下左右新人民公園建設光明和平復興工業高速橋側型類別功率瓦數材質備註座標經緯度位置地址所屬項目部門管理單位狀態時間日期序列安裝廠家規格數量電源箱控制器變壓流水山正仁愛信義',
  ),
  'euc-kr': new Set(
    '관리번호위도경주소가로등명칭시구군동읍면리길대지하차도높이전력와트설치일자종류형태재질비고좌표표찰기둥서울특별광역경부인천대전남북강원충청라제중앙신역공원교사거입구앞옆아파트학교',
  ),
  ja: new Set(
    '管理番号緯度経度住所東京都道府県市区町村丁目番地号街灯路線名称種別設置年月日高さ型式電力備考座標位置柱数量株式会社丸大中小上下北南西新本田山川橋公園前駅照明',
  ),
} as const;

/** GB 2312 has two levels of characters by frequency; what GBK and GB 18030 add is rare in lists. */
function gb18030([lead, trail]: readonly [number, number]): number {
  if (lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1) return 1;
  if (lead >= 0xd8 && lead <= 0xf7 && trail >= 0xa1) return 0;
  if (lead >= 0xa1 && lead <= 0xa3 && trail >= 0xa1) return 0.5;
  return lead === 0xa4 || lead === 0xa5 ? -0.5 : -0.7;
}
function big5([lead]: readonly [number, number]): number {
  if (lead >= 0xa4 && lead <= 0xc6) return 1;
  if (lead >= 0xc9 && lead <= 0xf9) return 0;
  return lead >= 0xa1 && lead <= 0xa3 ? 0.5 : -1;
}
function eucKr([lead, trail]: readonly [number, number]): number {
  if (lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1) return 1.15;
  if (lead >= 0xa1 && lead <= 0xa3 && trail >= 0xa1) return 0.5;
  // Hanja, then the syllables that Windows adds.
  return lead >= 0xca && trail >= 0xa1 ? -0.5 : -0.2;
}
function eucJp([lead, trail]: readonly [number, number]): number {
  if (lead === 0x8e) return -0.3;
  if (trail < 0xa1) return -1;
  if (lead === 0xa4 || lead === 0xa5) return 1.1;
  if (lead >= 0xb0 && lead <= 0xcf) return 0.9;
  if (lead >= 0xd0 && lead <= 0xf4) return 0;
  return lead >= 0xa1 && lead <= 0xa3 ? 0.5 : -1;
}
function shiftJis([lead]: readonly [number, number]): number {
  if (lead === 0x82 || lead === 0x83) return 1.1;
  if (lead >= 0x88 && lead <= 0x97) return 0.9;
  if (lead === 0x81) return 0.5;
  return lead === 0x98 || (lead >= 0x99 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xea) ? 0 : -0.5;
}

const pairs: Partial<
  Record<
    Encoding,
    {
      readonly worth: (pair: readonly [number, number]) => number;
      readonly often: ReadonlySet<string>;
      readonly single?: (byte: number) => boolean;
    }
  >
> = {
  gb18030: { worth: gb18030, often: common.gb18030 },
  big5: { worth: big5, often: common.big5 },
  'euc-kr': { worth: eucKr, often: common['euc-kr'] },
  // Half-width kana are single bytes.
  'euc-jp': { worth: eucJp, often: common.ja },
  shift_jis: { worth: shiftJis, often: common.ja, single: (byte) => byte >= 0xa1 && byte <= 0xdf },
};

/** Letters beyond ASCII of the languages that are written in an encoding. */
const letters: Partial<Record<Encoding, readonly string[]>> = {
  'windows-1250': ['áčďéěíňóřšťúůýž', 'ąćęłńóśźż', 'áéíóöőúüű', 'áäčďéíĺľňóôŕšťúýž', 'ăâîșțşţ', 'čćđšž', 'äöüß'],
  'iso-8859-2': ['áčďéěíňóřšťúůýž', 'ąćęłńóśźż', 'áéíóöőúüű', 'čćđšž'],
  'windows-1252': ['àâæçéèêëîïôœùûüÿ«»’°', 'äöüß', 'áéíóúñü¿¡ºª°', 'ãõáâàçéêíóôúºª', 'àèéìíîòóùú', 'åäöæøé', 'éëïóöüè'],
  'windows-1254': ['çğıöşüâî'],
  'windows-1257': ['āčēģīķļņšūž', 'ąčęėįšųūž', 'äöõüšž'],
  'windows-1251': ['абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђјљњћџ№«»'],
  'koi8-r': ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя'],
  'windows-1253': ['αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ'],
};
const small = (sign: string): boolean => sign !== sign.toUpperCase();
const isLetter = (sign: string): boolean => /\p{L}/u.test(sign);
const isLatin = (sign: string): boolean => /\p{Script=Latin}/u.test(sign);

/** What the bytes earn when they are read in an encoding as `text`; undefined for encodings that are not guessed. */
export function judgeReading(encoding: Encoding, bytes: Uint8Array, text: string): Judged | undefined {
  const double = pairs[encoding];
  if (double) return judgePairs(bytes, text, double);
  const alphabets = letters[encoding];
  return alphabets && judgeLetters(text, alphabets);
}

function judgePairs(
  bytes: Uint8Array,
  text: string,
  { worth, often, single }: NonNullable<(typeof pairs)[Encoding]>,
): Judged {
  let [points, characters, bad] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    characters += 1;
    if (single?.(lead)) points -= 0.4;
    else points += worth([lead, bytes[++at] ?? 0]);
  }
  for (const sign of text) {
    if (often.has(sign)) points += 0.6;
    else if (/[\ufffd\ue000-\uf8ff\u0080-\u009f]/.test(sign)) bad += 1;
  }
  return { points, characters, bad };
}

/**
 * The letters of the language that fits best. A capital after a small letter, a sign after a letter, two scripts in one
 * word: so a wrong reading looks.
 */
function judgeLetters(text: string, alphabets: readonly string[]): Judged {
  let [characters, bad, odd] = [0, 0, 0];
  const found = alphabets.map(() => 0);
  let before = '';
  for (const sign of text) {
    if (sign > '\u007f') {
      characters += 1;
      if (/[\ufffd\u0080-\u009f]/.test(sign)) bad += 1;
      else {
        const lower = sign.toLowerCase();
        alphabets.forEach((alphabet, at) => {
          if (alphabet.includes(lower)) found[at] = (found[at] ?? 0) + 1;
        });
        if (
          isLetter(before) &&
          (!isLetter(sign) || isLatin(before) !== isLatin(sign) || (small(before) && !small(sign)))
        )
          odd += 1;
      }
    } else if (
      /[A-Za-z]/.test(sign) &&
      before > '\u007f' &&
      isLetter(before) &&
      (!isLatin(before) || (small(before) && /[A-Z]/.test(sign)))
    )
      odd += 1;
    before = sign;
  }
  const best = Math.max(...found);
  return { points: best - 0.5 * (characters - bad - best) - odd, characters, bad };
}
