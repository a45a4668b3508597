import type { AccountTexts } from '../password-rule.ts';

const enUS: AccountTexts = {
  passwordRule: '8 to 20 characters, with at least 3 of these: lower-case letters, upper-case letters, digits, special characters. No 4 neighbouring keys of one keyboard row in either direction, upper or lower case. It must not contain the account name, nor be one of the last 5 passwords. It must not be a common password, nor one with capitals, letters written as digits or signs, or digits or signs before or after it.',
};

export default enUS;
