import {buildSite} from './generator/pipeline/build.ts';
const t0=performance.now(); let last='';let n0=0;
console.log('imports',process.uptime().toFixed(2));
await buildSite({database:'/dev/shm/u.sqlite',out:process.argv[2]!,baseUrl:null,exports:'current',keepAll:false,full:false},(n,d,o)=>{ if(n!==last||d===o||d===1){last=n;console.log((performance.now()-t0).toFixed(0),n,d,o)}});
console.log('end',(performance.now()-t0).toFixed(0));
