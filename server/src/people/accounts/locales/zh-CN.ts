import type { AccountTexts } from '../password-rule.ts';

const zhCN: AccountTexts = {
  passwordRule: '密码长度为 8 至 20 个字符；小写字母、大写字母、数字、特殊字符中至少包含 3 种；不得含有键盘同一行上连续相邻的 4 个按键（正向或反向，不区分大小写）；不得包含账号名；不得与最近 5 次使用过的密码相同；不得是常见密码，也不得只是在常见密码上更换大小写、以数字或符号代替字母、或在首尾添加数字或符号。',
};

export default zhCN;
