/** The host application's own behaviour: an element that comes late, one that is drawn again, a form that stays. */
document.addEventListener('submit', (event) => {
  event.preventDefault();
});

window.addEventListener('playground:late', () => {
  setTimeout(() => {
    const button = document.createElement('button');
    button.id = 'tardif';
    button.textContent = 'Détail';
    document.querySelector('#plus').append(button);
  }, 1_200);
});

document.querySelector('#annuler').addEventListener('click', () => {
  window.dispatchEvent(new Event('playground:late'));
});
