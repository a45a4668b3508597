import type { Language } from '../../../../catalogue/languages.ts';

interface UserTexts {
  /** Level 0; the others are letters in every language. */
  readonly administrator: string;
  readonly nameTaken: string;
  readonly nameFree: string;
}

const texts: Readonly<Record<Language, UserTexts>> = {
  'zh-CN': { administrator: '管理员', nameTaken: '该账号已存在', nameFree: '该账号可以使用' },
  'zh-TW': { administrator: '管理員', nameTaken: '此帳號已存在', nameFree: '此帳號可以使用' },
  'en-US': { administrator: 'Administrator', nameTaken: 'This account already exists', nameFree: 'This account name is free' },
  'fr-FR': { administrator: 'Administrateur', nameTaken: 'Ce compte existe déjà', nameFree: 'Ce nom de compte est libre' },
  'ja-JP': { administrator: '管理者', nameTaken: 'このアカウントは既に存在します', nameFree: 'このアカウント名は使用できます' },
  'ko-KR': { administrator: '관리자', nameTaken: '이미 있는 계정입니다', nameFree: '사용할 수 있는 계정 이름입니다' },
};

export const userTexts = (language: Language): UserTexts => texts[language];

/** The account levels by number: administrator, then A to E. */
export const levelNames = (language: Language): Record<string, string> =>
  ({ 0: userTexts(language).administrator, 1: 'A', 2: 'B', 3: 'C', 4: 'D', 5: 'E' });
