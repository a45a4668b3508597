import type { SignInTexts } from '../texts.ts';

const enUS: SignInTexts = {
  days: '{n} d',
  hours: '{n} h',
  minutes: '{n} min',
  seconds: '{n} s',
  between: ' ',
  passwordChanged: 'The password has been changed.',
};

export default enUS;
