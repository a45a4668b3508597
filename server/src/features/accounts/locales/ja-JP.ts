import type { AccountTexts } from '../password-rule.ts';

const jaJP: AccountTexts = {
  passwordRule: 'パスワードは 8～20 文字で、小文字・大文字・数字・記号のうち 3 種類以上を含めてください。キーボードの同じ列で隣り合う 4 つのキーの並び（順方向・逆方向、大文字と小文字は区別しません）は使えません。アカウント名を含むものと、直近 5 回に使用したパスワードも使えません。',
};

export default jaJP;
