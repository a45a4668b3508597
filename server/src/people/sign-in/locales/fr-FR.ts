import type { SignInTexts } from '../texts.ts';

const frFR: SignInTexts = {
  days: '{n} j',
  hours: '{n} h',
  minutes: '{n} min',
  seconds: '{n} s',
  between: ' ',
  passwordChanged: 'Le mot de passe a été modifié.',
};

export default frFR;
