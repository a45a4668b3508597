import type { SignInTexts } from '../texts.ts';

const zhCN: SignInTexts = {
  days: '{n}天',
  hours: '{n}小时',
  minutes: '{n}分',
  seconds: '{n}秒',
  between: '',
  passwordChanged: '修改密码成功！',
};

export default zhCN;
