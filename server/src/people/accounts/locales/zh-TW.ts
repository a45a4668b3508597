import type { AccountTexts } from '../password-rule.ts';

const zhTW: AccountTexts = {
  passwordRule: '密碼長度須為 8 至 20 個字元；小寫字母、大寫字母、數字、特殊字元至少要有 3 種；不可含有鍵盤同一列上連續相鄰的 4 個按鍵（正向或反向，不分大小寫）；不可包含帳號名稱；不可與最近 5 次使用過的密碼相同；不可為常見密碼，也不可只是將常見密碼更換大小寫、以數字或符號代替字母，或在前後加上數字或符號。',
};

export default zhTW;
