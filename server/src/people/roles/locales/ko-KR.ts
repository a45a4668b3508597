import type { RoleTexts } from '../texts.ts';

const koKR: RoleTexts = {
  created: '역할을 만들었습니다.',
  saved: '역할을 저장했습니다.',
  deleted: '역할을 삭제했습니다.',
  narrowed: '제거한 메뉴는 하위 역할 {n}개에서도 제거되었습니다.',
  nameTaken: '이미 사용 중인 역할 이름입니다',
  between: ', ',
};

export default koKR;
