import type { SignInTexts } from '../texts.ts';

const jaJP: SignInTexts = {
  days: '{n}日',
  hours: '{n}時間',
  minutes: '{n}分',
  seconds: '{n}秒',
  between: '',
  passwordChanged: 'パスワードを変更しました。',
};

export default jaJP;
