import type { AccountTexts } from '../password-rule.ts';

const koKR: AccountTexts = {
  passwordRule: '비밀번호는 8~20자이며 소문자, 대문자, 숫자, 특수 문자 중 3종류 이상을 포함해야 합니다. 키보드 같은 줄에서 이웃한 키 4개를 순서대로 또는 거꾸로(대소문자 구분 없음) 사용할 수 없습니다. 계정 이름을 포함하거나 최근 5회 사용한 비밀번호와 같을 수 없습니다. 흔히 쓰이는 비밀번호나, 그 대소문자를 바꾸거나 글자를 숫자·기호로 바꾸거나 앞뒤에 숫자·기호를 붙인 것은 사용할 수 없습니다.',
};

export default koKR;
