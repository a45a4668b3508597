import type { SignInTexts } from '../texts.ts';

const zhTW: SignInTexts = {
  days: '{n} 天',
  hours: '{n} 小時',
  minutes: '{n} 分鐘',
  seconds: '{n} 秒',
  between: '',
  passwordChanged: '密碼修改成功！',
};

export default zhTW;
