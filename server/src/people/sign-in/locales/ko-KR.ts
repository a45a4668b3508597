import type { SignInTexts } from '../texts.ts';

const koKR: SignInTexts = {
  days: '{n}일',
  hours: '{n}시간',
  minutes: '{n}분',
  seconds: '{n}초',
  between: ' ',
  passwordChanged: '비밀번호를 변경했습니다.',
};

export default koKR;
