/** driver.js as its documentation starts it: ready to show a tour, which it does not yet. */
import { driver } from 'driver.js';

window.tour = driver({ steps: [{ element: '#remise', popover: { title: 'Remise', description: 'Ici.' } }] });
