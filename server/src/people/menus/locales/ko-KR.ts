import type { MenuTexts } from '../texts.ts';

const koKR: MenuTexts = {
  root: '비동기 라우트 설정',
  types: { menu1: '1단계 메뉴', menu2: '2단계 또는 3단계 메뉴', 'menu2-sp': '3단계를 포함하는 2단계 메뉴', 'non-menu': '메뉴에 없는 페이지', button: '버튼' },
  added: '노드를 추가했습니다',
  updated: '노드를 수정했습니다',
  deleted: '삭제했습니다',
  typeRequired: '이 노드의 유형을 선택하세요',
  titleRequired: '라우트 제목을 입력하세요',
  nameRequired: '라우트 이름을 입력하세요',
  nameChinese: '중국어가 없는 올바른 라우트 이름을 입력하세요.',
  urlRequired: '라우트 경로를 입력하세요',
  urlChinese: '중국어가 없는 올바른 라우트 경로를 입력하세요.',
  urlSlash: '1단계 라우트의 경로는 “/”로 시작해야 합니다',
  componentRequired: '라우트의 컴포넌트를 입력하세요',
  componentChinese: '중국어가 없는 올바른 컴포넌트 경로를 입력하세요.',
  codeRequired: '버튼의 권한 코드를 선택하세요',
  codeUnknown: '없는 권한 코드입니다. 목록에서 선택하세요',
};

export default koKR;
